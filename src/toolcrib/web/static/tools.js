// The form of a tool: as fields or as JSON, checked and called in place.
const form = document.getElementById("arguments");
if (form) {
  const pane = document.getElementById("tool-pane");
  const fields = document.getElementById("fields");
  const asJson = document.getElementById("as-json");
  const json = document.getElementById("json");
  const toggle = document.getElementById("json-button");
  const command = document.getElementById("command");
  const result = document.getElementById("result");
  const name = pane.dataset.name;

  const read = () => {
    const found = {};
    for (const each of fields.querySelectorAll("[name]")) {
      let value = each.type === "checkbox" ? each.checked : each.value;
      if (value === "" ) continue;
      if (each.type === "number") value = Number(value);
      else if (each.dataset.kind === "json") { try { value = JSON.parse(value); } catch { /* shown by the check */ } }
      else if (each.tagName === "SELECT" && (value === "true" || value === "false")) value = value === "true";
      found[each.name] = value;
    }
    return found;
  };
  const write = (values) => {
    for (const each of fields.querySelectorAll("[name]")) {
      const value = values[each.name];
      if (each.type === "checkbox") each.checked = value === true;
      else each.value = value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
    }
  };
  let extra = {};
  const shown = () => (asJson.hidden ? { ...extra, ...read() } : JSON.parse(json.value || "{}"));

  toggle.addEventListener("click", () => {
    if (asJson.hidden) {
      json.value = JSON.stringify({ ...extra, ...read() }, null, 2);
    } else {
      let values;
      try { values = JSON.parse(json.value || "{}"); } catch (error) { alert(`This is not JSON: ${error.message}`); return; }
      const known = new Set([...fields.querySelectorAll("[name]")].map((each) => each.name));
      extra = Object.fromEntries(Object.entries(values).filter(([key]) => !known.has(key)));
      write(values);
    }
    asJson.hidden = !asJson.hidden;
    fields.hidden = !asJson.hidden;
    toggle.textContent = asJson.hidden ? "As JSON" : "As form";
  });
  const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);
  document.getElementById("copy-button").addEventListener("click", async () => {
    command.value = `toolcrib call ${quoted(name)} ${quoted(JSON.stringify(shown()))}`;
    try { await navigator.clipboard.writeText(command.value); } catch { command.select(); }
  });

  const post = async (address, more = {}) => {
    const body = new URLSearchParams({ csrf: form.elements.csrf.value, arguments: JSON.stringify(shown()), ...more });
    running = new AbortController();
    const answer = await fetch(address, { method: "POST", body, headers: { accept: "application/json" }, signal: running.signal });
    return [answer.status, await answer.json()];
  };
  let running = null;
  addEventListener("pagehide", () => running?.abort());
  const mark = (told) => {
    for (const each of form.querySelectorAll(".problem, [role=status]")) each.remove();
    for (const each of fields.querySelectorAll("[name]")) {
      const problem = told.fields?.[each.name];
      each.toggleAttribute("aria-invalid", false);
      if (problem) {
        each.setAttribute("aria-invalid", "true");
        const line = document.createElement("span");
        line.className = "problem";
        line.id = `p-${each.id}`;
        line.textContent = problem;
        each.setAttribute("aria-describedby", line.id);
        each.after(line);
      } else each.removeAttribute("aria-invalid");
    }
    const placed = new Set(Object.values(told.fields || {}));
    const line = document.createElement("p");
    const others = told.problems.filter((each) => !placed.has(each));
    line.className = others.length ? "problem" : "";
    line.setAttribute("role", others.length ? "alert" : "status");
    line.textContent = others.length ? others.join("\n") : told.problems.length ? "" : "The arguments fit.";
    form.querySelector(".buttons").before(line);
  };
  const drawResult = (found) => {
    result.hidden = false;
    const status = document.createElement("p");
    status.setAttribute("role", "status");
    status.textContent = `${found.outcome} ${found.ms} ms`;
    const text = document.createElement("pre");
    text.textContent = found.text;
    result.replaceChildren(Object.assign(document.createElement("h3"), { textContent: "Result" }), status, text);
    if (found.structured) {
      const more = document.createElement("details");
      const tree = document.createElement("pre");
      tree.textContent = JSON.stringify(found.structured, null, 2);
      more.append(Object.assign(document.createElement("summary"), { textContent: "Structured content" }), tree);
      result.append(more);
    }
  };
  const ask = (told, again) => {
    const dialog = document.createElement("dialog");
    dialog.setAttribute("aria-label", `Really call ${name}?`);
    const heading = Object.assign(document.createElement("h2"), { textContent: `Really call ${name}?` });
    const shownArguments = Object.assign(document.createElement("pre"), { textContent: JSON.stringify(shown(), null, 2) });
    const no = Object.assign(document.createElement("button"), { textContent: "Do not call", autofocus: true });
    const yes = Object.assign(document.createElement("button"), { textContent: "Call it" });
    no.addEventListener("click", () => dialog.close());
    yes.addEventListener("click", () => { dialog.close(); again(); });
    dialog.addEventListener("close", () => dialog.remove());
    dialog.append(heading, shownArguments, no, yes);
    document.body.append(dialog);
    dialog.showModal();
    no.focus();
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const calling = event.submitter?.id === "call-button";
    const address = calling ? form.dataset.call : form.action;
    const cancel = Object.assign(document.createElement("button"), { type: "button", textContent: "Cancel" });
    cancel.addEventListener("click", () => running?.abort());
    if (calling) form.querySelector(".buttons").append(cancel);
    try {
      const go = async (more) => {
        const [, told] = await post(address, more);
        mark(told);
        if (told.really) ask(told, () => go({ really: "yes" }));
        else if (told.result) drawResult(told.result);
        if (told.command) command.value = told.command;
      };
      await go({});
    } catch (error) {
      mark({ problems: [error.name === "AbortError" ? "Cancelled." : String(error.message)], fields: {} });
    } finally { cancel.remove(); }
  });
}
