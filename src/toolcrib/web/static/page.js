// What every page has: times of the reader's zone, the keyboard, questions before something is done.
document.documentElement.classList.add("js");
export const root = document.body.dataset.root;

export const el = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

const two = (n) => String(n).padStart(2, "0");
export function times(within = document) {
  for (const each of within.querySelectorAll("time[datetime]")) {
    const then = new Date(each.dateTime);
    if (!each.dateTime || Number.isNaN(then.valueOf())) continue;
    const clock = `${two(then.getHours())}:${two(then.getMinutes())}:${two(then.getSeconds())}`;
    each.textContent = clock;
    each.title = then.toLocaleString();
  }
}
times();

// Ask once more; the cautious button has the focus.
export function ask(title, text, no, yes) {
  return new Promise((answer) => {
    const dialog = el("dialog");
    const heading = el("h2", title);
    heading.id = "question";
    dialog.setAttribute("aria-labelledby", "question");
    const refuse = el("button", no), agree = el("button", yes, "danger");
    refuse.type = agree.type = "button";
    let agreed = false;
    refuse.addEventListener("click", () => dialog.close());
    agree.addEventListener("click", () => { agreed = true; dialog.close(); });
    dialog.addEventListener("close", () => { dialog.remove(); answer(agreed); });
    const buttons = el("p", undefined, "buttons");
    buttons.append(refuse, agree);
    dialog.append(heading, ...(text ? [el("pre", text)] : []), buttons);
    document.body.append(dialog);
    dialog.showModal();
    refuse.focus();
  });
}

// What shows nothing or turns the line is written out, as the server does it.
const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;
export const marked = (text) => String(text).replace(HIDDEN, (each) => `⟨U+${each.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

export const typing = (target) => target.closest("input, textarea, select, dialog, [contenteditable]");
const rows = () => [...document.querySelectorAll("tbody tr a[href], .entries li a, .timeline li a")];
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (event.key === "/") {
    const box = document.querySelector("input[type=search]");
    if (box) { box.focus(); box.select(); event.preventDefault(); }
  } else if (event.key === "j" || event.key === "k") {
    const all = rows();
    const current = document.activeElement.closest("#pane") ? document.querySelector("tr.open a") : document.activeElement;
    const at = all.indexOf(current);
    const next = all[event.key === "j" ? at + 1 : Math.max(at - 1, 0)];
    if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); event.preventDefault(); }
  }
});

for (const form of document.querySelectorAll("form.filters[method=get]")) {
  const go = form.querySelector(".go");
  form.addEventListener("change", (event) => {
    if (!event.target.matches("select")) return;
    const pressed = form.querySelector("[aria-pressed=true]");
    if (pressed?.value) form.append(Object.assign(el("input"), { type: "hidden", name: pressed.name, value: pressed.value }));
    form.requestSubmit(go);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input[type=search]")) {
      event.preventDefault();
      form.requestSubmit(go);
    }
  });
  // An address holds what was chosen, and nothing else.
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
  });
}

for (const form of document.querySelectorAll('form[action*="/flags/"]')) {
  if (form.elements.really) continue;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const removing = form.elements.remove !== undefined;
    const name = form.elements.name?.value ?? decodeURIComponent(form.action.split("/flags/")[1]);
    const title = removing ? `Remove ${name}?` : `Set ${name}?`;
    const value = removing ? "" : form.elements.value.value;
    if (!await ask(title, value, "Do not", removing ? "Remove it" : "Set it")) return;
    form.append(Object.assign(el("input"), { type: "hidden", name: "really", value: "yes" }));
    form.submit();
  });
}
