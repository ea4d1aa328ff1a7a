// Calls: new rows as they come, one of them opened in place.
import { times } from "./page.js";

const table = document.getElementById("calls");
const body = table.tBodies[0];
const live = document.getElementById("live");
const pause = document.getElementById("pause");
const fresh = document.getElementById("new");
const pane = document.getElementById("pane");
const MOST = 500;
let waiting = [];
let paused = false;
let due = 0;

const el = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

function drawn(call) {
  const row = el("tr");
  row.dataset.id = call.id;
  const time = el("time");
  time.dateTime = call.time;
  const cells = [time, call.client, null, call.arguments, null, String(call.ms)].map((value) => {
    const cell = el("td", typeof value === "string" ? value : undefined);
    if (value instanceof Node) cell.append(value);
    row.append(cell);
    return cell;
  });
  const link = el("a", call.tool);
  link.href = `calls/${encodeURIComponent(call.id)}`;
  cells[2].append(link, ...call.inner.map((name) => el("span", ` ↳ ${name}`, "inner")));
  cells[3].className = "mono";
  cells[4].append(el("span", call.outcome, `tag o-${call.outcome}`));
  cells[5].className = "num";
  times(row);
  return row;
}

const busy = () => paused || window.scrollY > 200 || pane.hasChildNodes() || !getSelection().isCollapsed || table.dataset.page !== "1";

function show() {
  due = 0;
  if (busy()) {
    fresh.hidden = waiting.length === 0;
    fresh.textContent = waiting.length === 1 ? "1 new call" : `${waiting.length} new calls`;
    return;
  }
  flush();
}

function flush() {
  const seen = new Set([...body.rows].map((row) => row.dataset.id));
  const rows = waiting.filter((call) => !seen.has(call.id)).reverse().map(drawn);
  waiting = [];
  fresh.hidden = true;
  body.prepend(...rows);
  while (body.rows.length > MOST) body.lastElementChild.remove();
}

fresh.addEventListener("click", () => { close(); scrollTo(0, 0); flush(); });
pause.addEventListener("click", () => {
  paused = !paused;
  pause.textContent = paused ? "Resume" : "Pause";
  live.textContent = paused ? "paused" : "live";
  if (!paused) show();
});

// Tabs of one browser share one stream: a browser has few connections per host.
const channel = "BroadcastChannel" in window ? new BroadcastChannel(`toolcrib-calls-${location.host}`) : null;
function take(kind, value) {
  if (kind === "call") { waiting.push(value); if (!due) due = setTimeout(show, 250); }
  else if (kind === "summary" && !location.search) {
    document.getElementById("sum-calls").textContent = value.calls;
    document.getElementById("sum-failed").textContent = value.failed;
    document.getElementById("sum-away").textContent = value.turned_away;
    document.getElementById("sum-median").textContent = value.median_ms;
    document.getElementById("sum-p95").textContent = value.p95_ms;
  } else if (kind === "state" && !paused) live.textContent = value;
}
const fits = (call) => {
  const wanted = new URLSearchParams(location.search);
  if (wanted.get("outcome") && call.outcome !== wanted.get("outcome")) return false;
  if (wanted.get("client") && call.client !== wanted.get("client")) return false;
  if (wanted.get("tool") && ![call.tool, ...call.inner].includes(wanted.get("tool"))) return false;
  const text = `${call.tool} ${call.inner.join(" ")} ${call.client} ${call.arguments}`.toLowerCase();
  return (wanted.get("q") || "").toLowerCase().split(/\s+/).every((word) => text.includes(word));
};
function told(kind, value) { if (kind !== "call" || fits(value)) take(kind, value); }

function listen() {
  const numbers = [...body.rows].map((row) => Number(row.dataset.number)).filter((n) => n >= 0);
  const since = numbers.length && !location.search ? `?since=${Math.max(...numbers)}` : "";
  const source = new EventSource(`calls/stream${since}`);
  const pass = (kind) => (event) => {
    const value = JSON.parse(event.data);
    told(kind, value);
    channel?.postMessage([kind, value]);
  };
  source.addEventListener("call", pass("call"));
  source.addEventListener("summary", pass("summary"));
  source.onopen = () => { told("state", "live"); channel?.postMessage(["state", "live"]); };
  source.onerror = () => { told("state", "reconnecting"); channel?.postMessage(["state", "reconnecting"]); };
  return new Promise(() => {});
}
if (channel) channel.onmessage = (event) => told(...event.data);
if (navigator.locks && channel) navigator.locks.request(`toolcrib-stream-${location.host}`, listen);
else listen();

function close() { pane.replaceChildren(); }
body.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const answer = await fetch(link.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const section = page.getElementById("call");
  if (!section) { location.href = link.href; return; }
  section.prepend(el("h2", link.textContent));
  pane.replaceChildren(document.importNode(section, true));
  times(pane);
  pane.querySelector("a")?.focus({ preventScroll: true });
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
