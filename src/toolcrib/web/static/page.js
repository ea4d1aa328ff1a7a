// What every page has: times of the reader's zone, and the keyboard.
document.documentElement.classList.add("js");

const two = (n) => String(n).padStart(2, "0");
export function times(root = document) {
  for (const each of root.querySelectorAll("time[datetime]")) {
    const then = new Date(each.dateTime);
    if (!Number.isNaN(then.valueOf())) {
      each.textContent = `${two(then.getHours())}:${two(then.getMinutes())}:${two(then.getSeconds())}`;
      each.title = then.toString();
    }
  }
}
times();

const typing = (target) => target.closest("input, textarea, select, [contenteditable]");
const rows = () => [...document.querySelectorAll("tbody tr a[href], .entries li > a:first-child, .timeline li > a")];
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (event.key === "/") {
    const box = document.querySelector("input[type=search]");
    if (box) { box.focus(); event.preventDefault(); }
  } else if (event.key === "j" || event.key === "k") {
    const all = rows();
    const at = all.indexOf(document.activeElement);
    const next = all[event.key === "j" ? at + 1 : Math.max(at - 1, 0)];
    if (next) { next.focus(); event.preventDefault(); }
  }
});

for (const form of document.querySelectorAll("form.filters")) {
  form.addEventListener("change", (event) => { if (event.target.matches("select")) form.requestSubmit(form.querySelector(".go")); });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input[type=search]")) {
      event.preventDefault();
      form.requestSubmit(form.querySelector(".go"));
    }
  });
}
const flags = document.getElementById("flag-form");
if (flags) flags.addEventListener("submit", () => {
  flags.action = flags.action.replace(/flags\/[^/]*$/, `flags/${encodeURIComponent(flags.elements.name.value)}`);
});
