// Tools: the search while it is typed, long lists in a window, and a form for each tool.
import { ask, el, marked, root } from "./page.js";

const groups = document.getElementById("groups");
const toolPane = document.getElementById("tool-pane");
const current = toolPane?.dataset.name;

function scored(width) {
  const drawing = (name, values) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    return made;
  };
  const bar = drawing("svg", { class: "score", width: 60, height: 5, "aria-hidden": "true" });
  bar.append(drawing("rect", { class: "rest", width: 60, height: 5, rx: 2.5 }), drawing("rect", { width, height: 5, rx: 2.5 }));
  return bar;
}

// A tool that is opened leaves the list as it is: the same words, the same way.
function kept() {
  const chosen = [...new URLSearchParams(location.search)].filter(([key, value]) => value && (key === "q" || key === "discovery"));
  return chosen.length ? `?${new URLSearchParams(chosen)}` : "";
}

function entry(each) {
  const item = el("li", undefined, each.name === current ? "chosen" : "");
  if (each.place !== undefined) {
    item.append(el("span", marked(each.name), "off"), el("span", marked(each.place), "cost mono"));
    return item;
  }
  const link = el("a", marked(each.name));
  link.href = `${root}tools/${encodeURIComponent(each.name)}${kept()}`;
  if (each.name === current) link.setAttribute("aria-current", "true");
  const cost = el("span", each.score === undefined ? each.tokens.toLocaleString("en") : `${each.score.toFixed(2)} `, "cost");
  if (each.score !== undefined) cost.append(scored(each.bar));
  item.append(link, " ", cost, el("span", marked(each.description), "about line"));
  if (each.matched) {
    const why = el("span", undefined, "why");
    for (const [word, fields] of Object.entries(each.matched)) why.append(el("mark", marked(word)), ` in ${fields.join(", ")} `);
    item.append(why);
  }
  return item;
}

// A list of thousands is drawn where it is seen: rows of one height, asked for by the hundred.
const HEIGHT = 62;
function windowed(list) {
  const total = Number(list.dataset.total);
  const known = new Map();
  const asked = new Set();
  const PART = 200;
  const space = el("li", undefined, "space");
  space.setAttribute("role", "presentation");
  list.classList.add("windowed");
  space.style.height = `${total * HEIGHT}px`;
  const fetched = async (part) => {
    if (asked.has(part)) return;
    asked.add(part);
    const query = new URLSearchParams({ discovery: groups.dataset.way, group: list.dataset.group, from: part * PART });
    const answer = await (await fetch(`${root}tools.json?${query}`)).json();
    answer.tools.forEach((each, at) => known.set(part * PART + at, each));
    draw();
  };
  let drawn = new Map();
  const draw = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 10);
    const last = Math.min(total, Math.ceil((list.scrollTop + list.clientHeight) / HEIGHT) + 10);
    const now = new Map(), made = [];
    for (let at = first; at < last; at++) {
      if (!known.has(at)) { fetched(Math.floor(at / PART)); continue; }
      let item = drawn.get(at);
      if (!item) {
        item = entry(known.get(at));
        item.style.transform = `translateY(${at * HEIGHT}px)`;
        item.style.top = "0";
        item.setAttribute("aria-setsize", total);
        item.setAttribute("aria-posinset", at + 1);
        made.push([at, item]);
      }
      now.set(at, item);
    }
    for (const [at, item] of drawn) if (!now.has(at)) item.remove();
    // In the order of the list, for those who go through it by keys; what has the focus stays.
    for (const [at, item] of made.reverse()) list.insertBefore(item, now.get(at + 1)?.parentNode ? now.get(at + 1) : null);
    drawn = now;
  };
  list.replaceChildren(space);
  let due = false;
  list.addEventListener("scroll", () => {
    if (!due) { due = true; requestAnimationFrame(() => { due = false; draw(); }); }
  }, { passive: true });
  list.scrollTop = 0;
  draw();
}
const unfold = () => {
  for (const list of groups.querySelectorAll(".entries.long")) windowed(list);
  document.getElementById("paging")?.remove();
};
unfold();

// The search as an agent has it, at each key; an answer that comes late is not shown.
const box = document.querySelector("#search input");
const listed = box.value ? null : [...groups.children];
let latest = 0;
box.addEventListener("input", async () => {
  const mine = ++latest;
  const words = box.value.trim();
  const address = new URL(location.href);
  if (words) address.searchParams.set("q", words); else address.searchParams.delete("q");
  history.replaceState(null, "", address);
  if (!words) {
    if (listed) groups.replaceChildren(...listed); else location.reload();
    return;
  }
  const given = await fetch(`${root}tools.json?${new URLSearchParams({ q: words })}`).catch(() => null);
  if (!given || mine !== latest) return; // away, or typed on meanwhile
  if (!given.ok) { location.reload(); return; } // to sign in
  const answer = await given.json();
  if (mine !== latest) return;
  const section = el("section", undefined, "panel list");
  section.setAttribute("aria-label", "found");
  const heading = el("h2", `${answer.tools.length} found for “${words}” · as climax_search ranks them`);
  heading.append(el("span", "why", "right"));
  const list = el("ul", undefined, "entries");
  list.append(...answer.tools.map(entry));
  if (!answer.tools.length) list.append(el("li", "Nothing is found: try other words.", "note"));
  section.append(heading, list);
  groups.replaceChildren(section);
});

// Names of arguments are names of controls, and a form has its controls as properties: what is
// asked here is the pane around it, which has none.
if (toolPane) toolForm(current, toolPane.dataset.address);

function toolForm(name, address) {
  const fields = document.getElementById("fields");
  const asJson = document.getElementById("as-json");
  const json = document.getElementById("json");
  const toggle = document.getElementById("json-button");
  const command = document.getElementById("command");
  const result = document.getElementById("result");
  const buttons = toolPane.querySelector(".buttons");
  const controls = [...fields.querySelectorAll("[name]:not([type=hidden])")];
  let extra = {};
  let running = null;

  // A number keeps the digits that were written, where the browser can do that.
  const exact = (key, value, context) => (typeof value === "number" && context?.source !== undefined && String(value) !== context.source ? JSON.rawJSON(context.source) : value);
  const parsed = (text) => (JSON.rawJSON ? JSON.parse(text, exact) : JSON.parse(text));
  const valueOf = (each) => {
    if (each.type === "checkbox") return each.checked;
    if (each.value === "") return undefined;
    if (each.type === "number") { try { return parsed(each.value); } catch { return Number(each.value); } }
    if (each.dataset.kind === "choice") return each.value === "true";
    if (each.dataset.kind === "json") { try { return parsed(each.value); } catch { return each.value; } }
    const meant = each.selectedOptions?.[0]?.dataset.json;
    return meant === undefined ? each.value : JSON.parse(meant);
  };
  // What a control cannot show, such as null in a text, is kept until somebody changes the control.
  const kept = new Map();
  const stateOf = (each) => (each.type === "checkbox" ? String(each.checked) : each.value);
  const read = () => Object.fromEntries(controls.map((each) => {
    const known = kept.get(each.name);
    return [each.name, known && known.state === stateOf(each) ? known.value : valueOf(each)];
  }).filter(([, value]) => value !== undefined));
  const write = (values) => {
    kept.clear();
    for (const each of controls) {
      const value = values[each.name];
      if (each.type === "checkbox") each.checked = value === true;
      else each.value = value === undefined ? "" : typeof value === "string" && each.dataset.kind !== "json" ? value : JSON.stringify(value);
      if (JSON.stringify(valueOf(each)) !== JSON.stringify(value)) kept.set(each.name, { value, state: stateOf(each) });
    }
  };
  const shown = () => (asJson.hidden ? { ...extra, ...read() } : parsed(json.value || "{}"));
  toggle.disabled = document.getElementById("copy-button").disabled = false;

  toggle.addEventListener("click", () => {
    if (asJson.hidden) json.value = JSON.stringify({ ...extra, ...read() }, null, 2);
    else {
      let values;
      try {
        values = parsed(json.value || "{}");
        if (values === null || typeof values !== "object" || Array.isArray(values)) throw new Error("it must be an object");
      } catch (error) { mark({ problems: [`This is not JSON: ${error.message}`], fields: {} }); return; }
      const known = new Set(controls.map((each) => each.name));
      extra = Object.fromEntries(Object.entries(values).filter(([key]) => !known.has(key)));
      write(values);
    }
    asJson.hidden = !asJson.hidden;
    fields.hidden = !asJson.hidden;
    toggle.textContent = asJson.hidden ? "As JSON" : "As form";
  });

  const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);
  document.getElementById("copy-button").addEventListener("click", async () => {
    try { command.value = `toolcrib call ${quoted(name)} ${quoted(JSON.stringify(shown()))}`; }
    catch (error) { mark({ problems: [`This is not JSON: ${error.message}`], fields: {} }); return; }
    try { await navigator.clipboard.writeText(command.value); } catch { command.select(); }
  });

  // Every problem at its field, in the words that an agent would get.
  const said = () => document.getElementById("arguments").querySelectorAll(".problem, [role=status]");
  const mark = (told) => {
    for (const each of said()) each.remove();
    for (const each of controls) {
      const problem = told.fields?.[each.name];
      const hint = `h-${each.id.slice(2)}`;
      each.removeAttribute("aria-invalid");
      each.setAttribute("aria-describedby", hint);
      if (!problem) continue;
      const line = el("span", problem, "problem");
      line.id = `p-${each.id.slice(2)}`;
      each.setAttribute("aria-invalid", "true");
      each.setAttribute("aria-describedby", `${hint} ${line.id}`);
      each.after(line);
    }
    const placed = new Set(asJson.hidden ? Object.values(told.fields ?? {}) : []);
    const others = told.problems.filter((each) => !placed.has(each));
    if (told.problems.length && !others.length) { fields.querySelector("[aria-invalid]")?.focus(); return; }
    const line = el("p", others.length ? others.join("\n") : "The arguments fit.", others.length ? "problem" : "");
    line.setAttribute("role", others.length ? "alert" : "status");
    buttons.before(line);
  };

  const tree = (node) => {
    if (!node.rows) return document.createTextNode(node.text);
    const details = el("details");
    details.open = true;
    const list = el("dl");
    for (const each of node.rows) {
      const value = el("dd");
      value.append(tree(each));
      list.append(el("dt", each.name), value);
    }
    details.append(el("summary", `${node.brackets[0]}${node.size}${node.brackets[1]}`), list);
    return details;
  };
  const drawResult = (found) => {
    for (const each of said()) each.remove();
    const status = el("p");
    status.setAttribute("role", "status");
    status.append(el("span", found.outcome, `tag ${found.outcome === "failed" ? "bad" : "good"}`), ` ${found.ms} ms`);
    const text = el("pre", found.text);
    text.tabIndex = 0;
    const parts = [el("h2", "Result"), status, text];
    if (found.cut) parts.push(el("p", found.cut, "note"));
    if (found.tree) {
      const box = el("div", undefined, "tree");
      box.append(tree(found.tree));
      parts.push(el("h2", "Structured content"), box);
    }
    result.replaceChildren(...parts);
    result.hidden = false;
    result.scrollIntoView({ block: "nearest" });
  };

  const post = async (address, more) => {
    const body = new URLSearchParams({ csrf: toolPane.dataset.csrf, arguments: JSON.stringify(shown()), ...more });
    running = new AbortController();
    const answer = await fetch(address, { method: "POST", body, headers: { accept: "application/json" }, signal: running.signal });
    if (answer.status === 401) throw new Error("You are signed out: open the address that the server printed at its start, in another tab, and reload this page.");
    if (!answer.headers.get("content-type")?.startsWith("application/json")) throw new Error(await answer.text());
    return answer.json();
  };
  addEventListener("pagehide", () => running?.abort());
  document.addEventListener("submit", async (event) => {
    if (event.target !== document.getElementById("arguments")) return;
    event.preventDefault();
    if (running) return;
    const calling = event.submitter?.id === "call-button";
    const cancel = Object.assign(el("button", "Cancel"), { type: "button" });
    cancel.addEventListener("click", () => running?.abort());
    try {
      if (calling) buttons.append(cancel);
      let told = await post(`${address}/${calling ? "call" : "check"}`, {});
      mark(told);
      if (told.really) {
        for (const each of said()) each.remove();
        cancel.remove(); // nothing runs while a person is asked
        if (!await ask(`Really call ${marked(name)}?`, marked(JSON.stringify(shown(), null, 2)), "Do not call", "Call it")) return;
        buttons.append(cancel);
        told = await post(`${address}/call`, { really: "yes" });
        mark(told);
      }
      if (told.result) drawResult(told.result);
      if (told.command) command.value = told.command;
    } catch (error) {
      mark({ problems: [error.name === "AbortError" ? "Cancelled." : String(error.message)], fields: {} });
    } finally { running = null; cancel.remove(); }
  });
}
