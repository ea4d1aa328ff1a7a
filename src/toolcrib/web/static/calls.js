// Calls: new rows as they come, one of them opened in place.
import { el, root, times, typing } from "./page.js";

const table = document.getElementById("calls");
const body = table.tBodies[0];
const live = document.getElementById("live");
const pause = document.getElementById("pause");
const fresh = document.getElementById("new");
const pane = document.getElementById("pane");
const outcomes = document.getElementById("outcomes");
const filtered = [...new URLSearchParams(location.search).keys()].some((key) => key !== "page");
const first = table.dataset.page === "1";
const MOST = 500, RECENT = 200;
const recent = [];
let waiting = new Map(), missed = 0;
let paused = false, due = 0, state = "reconnecting";
pause.disabled = fresh.disabled = false;
const say = (text) => { live.textContent = live.dataset.state = text; };

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
const busy = () => paused || window.scrollY > 200 || pane.hasChildNodes() || !getSelection().isCollapsed || !first;
const offer = (count) => {
  fresh.hidden = count === 0;
  fresh.textContent = count === 1 ? "1 new call" : `${count} new calls`;
};

function show() {
  due = 0;
  if (busy()) offer(missed); else flush();
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
  missed = 0;
  offer(0);
  body.prepend(...rows);
  if (body.rows.length) document.getElementById("nothing")?.remove();
  while (body.rows.length > MOST) body.lastElementChild.remove();
}

fresh.addEventListener("click", () => {
  if (!first) { location.href = document.getElementById("newest").href; return; }
  close();
  scrollTo(0, 0);
  getSelection().removeAllRanges();
  if (filtered) refetch(); else flush();
});
pause.addEventListener("click", () => {
  paused = !paused;
  pause.textContent = paused ? "Resume" : "Pause";
  say(paused ? "paused" : state);
  if (!paused) { if (filtered) refetch(); else show(); }
});

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
  const counted = document.querySelector('nav [aria-current="page"] .count');
  if (counted) counted.textContent = number(value.calls);
  for (const [name, count] of Object.entries({ "": value.calls, ...value.outcomes })) {
    let button = [...outcomes.children].find((each) => each.value === name);
    if (!button) {
      button = Object.assign(el("button", `${name} `), { name: "outcome", value: name });
      button.setAttribute("aria-pressed", "false");
      button.append(el("span", "", "count"));
      outcomes.append(button);
    }
    button.querySelector(".count").textContent = count;
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
    const rows = [...page.querySelectorAll("#calls tbody tr")].map((row) => document.importNode(row, true));
    for (const id of ["sum-calls", "sum-failed", "sum-away", "sum-median", "sum-p95", "bars"]) {
      document.getElementById(id).replaceWith(document.importNode(page.getElementById(id), true));
    }
    if (!outcomes.contains(document.activeElement)) outcomes.replaceChildren(...document.importNode(page.getElementById("outcomes"), true).children);
    if (busy()) offer(first ? rows.filter((row) => !known.has(row.dataset.id)).length : 0);
    else {
      const focused = document.activeElement.closest("#calls tr")?.dataset.id;
      rows.forEach((row) => times(row));
      body.replaceChildren(...rows);
      missed = 0;
      offer(0);
      if (rows.length) document.getElementById("nothing")?.remove();
      rows.find((row) => row.dataset.id === focused)?.querySelector("a").focus();
    }
  } catch { /* the status says that the server is away */ } finally {
    setTimeout(() => { asking = false; if (again) { again = false; refetch(); } }, 700);
  }
}

function told(kind, value) {
  if (kind === "state") {
    state = value;
    if (!paused) say(value);
    if (value === "live") document.getElementById("locked")?.remove();
  } else if (kind === "locked") locked();
  else if (kind === "summary") { if (!filtered) summed(value); }
  else if (kind === "call") {
    if (!waiting.has(value.id)) missed += 1;
    table.dataset.last = value.id;
    recent.push(value);
    if (recent.length > RECENT) recent.shift();
    if (filtered) { refetch(); return; }
    waiting.delete(value.id);
    waiting.set(value.id, value);
    if (waiting.size > MOST) waiting.delete(waiting.keys().next().value);
    if (!due) due = setTimeout(show, 250);
  }
}

// A server that was started anew has a new token; once any tab has shown it, all of them go on.
function locked() {
  if (document.getElementById("locked")) return;
  const line = Object.assign(el("p", "The server was started anew, or you were signed out. Open the address that it printed at its start, or ", "notice"), { id: "locked" });
  line.setAttribute("role", "alert");
  line.append(Object.assign(el("a", "sign in"), { href: location.href }), ".");
  document.querySelector("#main .head").after(line);
}

// Tabs of one browser share one stream: a browser has few connections per host. The tab that has it
// passes on what it hears, and tells one that comes later what that one may have missed.
const place = `toolcrib-calls-${location.host}${root}`;
const channel = "BroadcastChannel" in window ? new BroadcastChannel(place) : null;
let speaking = false;
const pass = (kind, value) => { told(kind, value); channel?.postMessage([kind, value]); };
function listen() {
  speaking = true;
  const source = new EventSource(`${root}calls/stream?after=${encodeURIComponent(table.dataset.last)}`);
  for (const kind of ["call", "summary"]) source.addEventListener(kind, (event) => pass(kind, JSON.parse(event.data)));
  source.onopen = () => pass("state", "live");
  source.onerror = async () => {
    pass("state", "reconnecting");
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(listen, 2000);
    const answer = await fetch(`${root}calls/stream`, { method: "HEAD" }).catch(() => null);
    if (answer?.status === 401) pass("locked");
  };
  return new Promise(() => {});
}
function heard(kind, value) {
  if (kind === "hello") { if (speaking) channel.postMessage(["welcome", { state, recent }]); return; }
  if (kind !== "welcome") { if (!speaking) told(kind, value); return; }
  if (speaking || state !== "reconnecting") return;
  told("state", value.state);
  const known = new Set([...body.rows].map((row) => row.dataset.id));
  const at = value.recent.findIndex((call) => call.id === table.dataset.last);
  for (const call of value.recent.slice(at + 1)) if (!known.has(call.id)) told("call", call);
}
if (channel) channel.onmessage = (event) => heard(...event.data);
if (navigator.locks && channel) { navigator.locks.request(place, listen); channel.postMessage(["hello"]); }
else listen();

function close() {
  const row = body.querySelector("tr.open");
  const inside = pane.contains(document.activeElement);
  pane.replaceChildren();
  row?.classList.remove("open");
  if (inside) row?.querySelector("a").focus();
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
  const shown = document.importNode(section, true);
  shown.tabIndex = -1;
  pane.replaceChildren(shown);
  times(pane);
  pane.scrollTop = 0;
  // A key opened it: what it opened has the focus, and Escape leads back to the row.
  if (event.detail === 0) shown.focus({ preventScroll: true });
  const box = pane.getBoundingClientRect();
  if (box.bottom < 60 || box.top > innerHeight - 60) pane.scrollIntoView({ block: "start" });
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && pane.hasChildNodes() && !typing(event.target)) close(); });
