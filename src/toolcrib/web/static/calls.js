// Calls: new rows as they come, one of them opened in place.
import { el, root, times } from "./page.js";

const table = document.getElementById("calls");
const body = table.tBodies[0];
const live = document.getElementById("live");
const pause = document.getElementById("pause");
const fresh = document.getElementById("new");
const pane = document.getElementById("pane");
const chosen = new URLSearchParams(location.search);
const filtered = [...chosen.keys()].some((key) => key !== "page");
const MOST = 500;
let waiting = new Map();
let paused = false;
let due = 0;

const svg = (name, values) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  return made;
};
const number = (value) => (value >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString("en") : value.toFixed(1));

function drawn(call) {
  const row = el("tr");
  row.dataset.id = call.id;
  const cell = (className, ...parts) => {
    const made = el("td", undefined, className);
    made.append(...parts);
    row.append(made);
  };
  const time = el("time");
  time.dateTime = call.time;
  const link = el("a");
  link.append(el("span", call.tool, call.inner.length ? "sr" : ""), ...call.inner.flatMap((name) => [" ", el("span", `↳ ${name}`, "inner")]));
  link.href = `${root}calls/${encodeURIComponent(call.id)}`;
  const bar = svg("svg", { class: "dur", width: 40, height: 4, "aria-hidden": "true" });
  bar.append(svg("rect", { x: 40 - call.bar, width: call.bar, height: 4, rx: 2 }));
  cell("time", time);
  cell("client", call.client);
  cell("tool", link);
  cell("mono args", call.arguments);
  cell("", el("span", call.outcome, `tag ${call.kind}`));
  cell("num", bar, number(call.ms));
  times(row);
  return row;
}

// While a person reads, selects or looks at one call, nothing moves.
const busy = () => paused || window.scrollY > 200 || pane.hasChildNodes() || !getSelection().isCollapsed || table.dataset.page !== "1";

function show() {
  due = 0;
  if (!busy()) { flush(); return; }
  fresh.hidden = waiting.size === 0;
  fresh.textContent = waiting.size === 1 ? "1 new call" : `${waiting.size} new calls`;
}

function flush() {
  const known = new Map([...body.rows].map((row) => [row.dataset.id, row]));
  const rows = [];
  for (const call of waiting.values()) {
    const row = drawn(call);
    const before = known.get(call.id) ?? known.get(call.was);
    if (before) before.replaceWith(row);
    else rows.unshift(row);
  }
  waiting = new Map();
  fresh.hidden = true;
  body.prepend(...rows);
  if (body.rows.length) document.getElementById("nothing")?.remove();
  while (body.rows.length > MOST) body.lastElementChild.remove();
}

fresh.addEventListener("click", () => { close(); scrollTo(0, 0); getSelection().removeAllRanges(); flush(); });
pause.addEventListener("click", () => {
  paused = !paused;
  pause.textContent = paused ? "Resume" : "Pause";
  live.textContent = paused ? "paused" : state;
  if (!paused) show();
});

let state = "live";
function summed(value) {
  const put = (id, text) => { document.getElementById(id).textContent = text; };
  put("sum-calls", number(value.calls));
  put("sum-failed", number(value.failed));
  put("sum-away", number(value.turned_away));
  put("sum-median", number(value.median_ms));
  put("sum-p95", number(value.p95_ms));
  const bars = document.getElementById("bars");
  bars.replaceChildren(...value.bars.map(({ kind, ...box }) => svg("rect", { class: kind, ...box })));
  const words = Object.entries(value.outcomes).map(([name, count]) => `${count} ${name}`).join(", ");
  bars.setAttribute("aria-label", `${value.calls} calls over time: ${words}`);
  const counts = { "": value.calls, ...value.outcomes };
  for (const button of document.querySelectorAll("#outcomes button")) {
    if (button.value in counts) button.querySelector(".count").textContent = counts[button.value];
  }
}
// With filters, the server decides what fits: the same address is asked again, not too often.
let asking = false, again = false;
async function refetch() {
  if (asking) { again = true; return; }
  asking = true;
  try {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    const known = new Set([...body.rows].map((row) => row.dataset.id));
    const rows = [...page.querySelectorAll("#calls tbody tr")].filter((row) => !known.has(row.dataset.id));
    for (const id of ["sum-calls", "sum-failed", "sum-away", "sum-median", "sum-p95", "bars", "outcomes"]) {
      const now = page.getElementById(id), then = document.getElementById(id);
      if (now && then && !then.contains(document.activeElement)) then.replaceWith(document.importNode(now, true));
    }
    if (rows.length && table.dataset.page === "1") {
      const ready = rows.map((row) => document.importNode(row, true));
      ready.forEach((row) => times(row));
      if (!busy()) body.prepend(...ready);
      else { fresh.hidden = false; fresh.textContent = rows.length === 1 ? "1 new call" : `${rows.length} new calls`; }
    }
  } finally {
    setTimeout(() => { asking = false; if (again) { again = false; refetch(); } }, 700);
  }
}
if (filtered) fresh.addEventListener("click", refetch);

function told(kind, value) {
  if (kind === "state") { state = value; if (!paused) live.textContent = value; }
  else if (filtered) { if (kind === "call" && !paused) refetch(); }
  else if (kind === "summary") summed(value);
  else if (kind === "call") {
    waiting.delete(value.id);
    waiting.set(value.id, value);
    if (waiting.size > MOST * 2) waiting.delete(waiting.keys().next().value);
    if (!due) due = setTimeout(show, 250);
  }
}

// Tabs of one browser share one stream: a browser has few connections per host.
const place = `toolcrib-calls-${location.host}${root}`;
const channel = "BroadcastChannel" in window ? new BroadcastChannel(place) : null;
const pass = (kind, value) => { told(kind, value); channel?.postMessage([kind, value]); };
function listen() {
  const source = new EventSource(`${root}calls/stream?after=${encodeURIComponent(table.dataset.last)}`);
  for (const kind of ["call", "summary"]) source.addEventListener(kind, (event) => pass(kind, JSON.parse(event.data)));
  source.onopen = () => pass("state", "live");
  source.onerror = () => pass("state", "reconnecting");
  return new Promise(() => {});
}
if (channel) channel.onmessage = (event) => told(...event.data);
if (navigator.locks && channel) navigator.locks.request(place, listen);
else listen();

function close() {
  pane.replaceChildren();
  body.querySelector("tr.open")?.classList.remove("open");
  if (waiting.size) show();
}
body.addEventListener("click", async (event) => {
  const row = event.target.closest("tr");
  const link = event.target.closest("a[href]") ?? row?.querySelector("a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !getSelection().isCollapsed) return;
  event.preventDefault();
  const answer = await fetch(link.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const section = page.getElementById("call");
  if (!section) { location.href = link.href; return; }
  body.querySelector("tr.open")?.classList.remove("open");
  row.classList.add("open");
  pane.replaceChildren(document.importNode(section, true));
  times(pane);
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && pane.hasChildNodes()) close(); });
