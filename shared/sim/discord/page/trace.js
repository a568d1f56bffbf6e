// How a reply came to be: its stages on a time line, what each called and when the first words came. The drawing and the table say
// the same; the table is for those who read better than they see.

import { ask } from "./net.js";
import { $, el, icon, iconButton } from "./dom.js";
import { Refused } from "./net.js";
import { still } from "./log.js";

const kindsOfCall = ["store", "queue", "discord", "model"];
const words = { store: "store", queue: "queue", discord: "Discord", model: "model" };
let shown = null, timer = 0, back = null, table = false, drawn = "";

const panel = $("trace");

export const span = ms => ms >= 10000 ? (ms / 1000).toFixed(1) + " s" : ms >= 1000 ? (ms / 1000).toFixed(2) + " s" : Math.round(ms) + " ms";

// open shows the trace of a message, and keeps it fresh while the reply grows.
export async function open(view) {
  if (back) back.classList.remove("traced");
  back = view.node;
  shown = view.id;
  drawn = "";
  still(back, () => {
    panel.hidden = false;
    document.body.classList.add("tracing");
    back.classList.add("traced");
  });
  panel.replaceChildren(head(null), el("p", { class: "quiet", text: "Looking…" }));
  await refresh();
  const close = panel.querySelector(".close");
  if (close) close.focus();
}

export function close() {
  if (!shown) return;
  clearTimeout(timer);
  shown = null;
  const leave = () => { panel.hidden = true; document.body.classList.remove("tracing"); };
  back.classList.remove("traced");
  if (!back.isConnected) { leave(); return; }
  still(back, leave);
  back.focus({ preventScroll: true });
}

// leave closes the panel without going back to the message, which is not what is looked at any more.
export function leave() {
  clearTimeout(timer);
  shown = null;
  back.classList.remove("traced");
  panel.hidden = true;
  document.body.classList.remove("tracing");
}

export const isOpen = () => shown !== null;

async function refresh() {
  clearTimeout(timer);
  const id = shown;
  let t = null, why = "";
  try { t = await ask("GET", "/explain?message=" + encodeURIComponent(id)); } catch (e) {
    if (!(e instanceof Refused)) throw e;
    why = e.status === 404 ? "Nothing is known of how this message came to be: nobody answered it, or it is from before the start." : e.message;
  }
  if (id !== shown) return;
  const text = JSON.stringify([t, why]);
  if (text !== drawn) { drawn = text; draw(t, why); }
  if (!t || !t.outcome) timer = setTimeout(refresh, 1000);
}

function head(t) {
  return el("header", {}, icon("trace"), el("h2", { text: "How this came to be" }),
    t && !t.outcome ? el("span", { class: "live", text: "live" }) : null,
    iconButton("close", "Close", close, { class: "iconic close" }));
}

function draw(t, why) {
  const focused = panel.contains(document.activeElement) && document.activeElement.dataset.keep, scroll = panel.querySelector(".scroll");
  const top = scroll ? scroll.scrollTop : 0;
  if (!t) panel.replaceChildren(head(null), el("p", { class: "quiet", text: why }));
  else {
    const stages = [...(t.stages || [])].sort((a, b) => a.at_ms - b.at_ms), total = Math.max(1, t.total_ms || 0, ...stages.map(s => s.at_ms + s.took_ms));
    const sums = Object.fromEntries(kindsOfCall.map(k => [k, stages.reduce((n, s) => n + ((s.calls && s.calls[k]) || 0), 0)]));
    panel.replaceChildren(head(t), el("div", { class: "scroll", tabindex: "0", "aria-label": "Stages" }, summary(t, stages, total, sums),
      table ? asTable(stages) : asLines(stages, total)), foot());
    panel.querySelector(".scroll").scrollTop = top;
  }
  const again = focused && panel.querySelector(`[data-keep="${focused}"]`);
  if (again) again.focus(); else if (focused === "") panel.querySelector(".close").focus();
}

function foot() {
  return el("footer", {}, el("button", {
    type: "button", class: "plain", "data-keep": "table", "aria-pressed": String(table), text: table ? "Show the time line" : "Show a table",
    on: { click: () => { table = !table; drawn = ""; refresh(); } },
  }));
}

// moments are the marks of all stages, the earliest of each name.
function moments(stages) {
  const first = new Map();
  for (const s of stages) for (const m of s.marks || []) if (!first.has(m.name) || first.get(m.name) > m.at_ms) first.set(m.name, m.at_ms);
  return [...first];
}

function summary(t, stages, total, sums) {
  const fact = (name, value, cls = "") => el("div", { class: "fact " + cls }, el("dt", { text: name }), el("dd", { text: value }));
  const began = new Date(t.began);
  return el("div", { class: "summary" },
    el("dl", {}, fact(t.outcome ? "in all" : "so far", span(total), "big"), ...moments(stages).slice(0, 3).map(([name, ms]) => fact(name, span(ms), "big")),
      ...kindsOfCall.map(k => fact(words[k] + (sums[k] === 1 ? " call" : " calls"), String(sums[k]), "call-" + k))),
    el("p", { class: "quiet" }, (t.outcome ? "Outcome: " + t.outcome + ". " : "Under way. ") + stages.length + (stages.length === 1 ? " stage" : " stages") +
      (t.replies && t.replies.length ? ", " + t.replies.length + (t.replies.length === 1 ? " message" : " messages") : "") + (isNaN(began) ? "" : ", began " + began.toLocaleTimeString()) + "."));
}

// ticks are round times, a handful of them.
function ticks(total) {
  const rough = total / 5, power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough);
  const list = [];
  for (let t = 0; t < total - step / 3; t += step) list.push(t);
  return list;
}

function asLines(stages, total) {
  const at = ms => Math.min(100, Math.max(0, 100 * ms / total));
  const box = el("div", { class: "lines", role: "img", "aria-label": "Time line; the table has the same in words" });
  const axis = el("div", { class: "axis" });
  for (const t of ticks(total)) { const i = el("i", { text: t === 0 ? "0" : span(t) }); i.style.left = at(t) + "%"; axis.append(i); }
  box.append(axis);
  const several = new Set(stages.map(s => s.turn || 0).filter(Boolean)).size > 1;
  let turn = -1;
  for (const s of stages) {
    if (several && (s.turn || 0) !== turn) { turn = s.turn || 0; box.append(el("h3", { text: turn ? "Reply " + turn : "Before the replies" })); }
    const bar = el("div", { class: "bar-of stage-" + family(s.name) + (s.error ? " failed" : "") });
    bar.style.left = at(s.at_ms) + "%";
    bar.style.width = Math.max(0.6, at(s.at_ms + s.took_ms) - at(s.at_ms)) + "%";
    const track = el("div", { class: "track" }, bar);
    for (const m of s.marks || []) {
      const pin = el("div", { class: "pin", title: m.name + " at " + span(m.at_ms) });
      pin.style.left = at(m.at_ms) + "%";
      track.append(pin);
    }
    box.append(el("div", { class: "stage", title: s.detail || "" },
      el("div", { class: "what" }, el("b", { text: s.name }), el("span", { class: "took", text: span(s.took_ms) })), track,
      el("div", { class: "more" }, s.detail ? el("span", { text: s.detail }) : null, ...calls(s),
        ...(s.marks || []).map(m => el("span", { class: "mark", text: m.name + " " + span(m.at_ms) })), s.error ? el("span", { class: "error", text: s.error }) : null)));
  }
  if (!stages.length) box.append(el("p", { class: "quiet", text: "No stage has been written down yet." }));
  return box;
}

const calls = s => kindsOfCall.filter(k => s.calls && s.calls[k]).map(k => el("span", { class: "call call-" + k, text: s.calls[k] + " " + words[k] }));

// family gives a stage one of a few colours, always the same: neighbours in the usual order differ.
const families = ["admission", "disposition", "channel lock", "plan", "context", "generation", "sink", "effects", "release"];
function family(name) {
  const i = families.indexOf(name);
  if (i >= 0) return i % 6;
  let n = 0;
  for (const c of name) n = (n * 31 + c.codePointAt(0)) >>> 0;
  return n % 6;
}

function asTable(stages) {
  const cell = (tag, text, props = {}) => el(tag, { ...props, text });
  return el("table", {}, el("caption", { class: "unseen", text: "Stages in the order they began" }),
    el("thead", {}, el("tr", {}, ...["Stage", "Reply", "Began", "Took", "Store", "Queue", "Discord", "Model", "What"].map(t => cell("th", t, { scope: "col" })))),
    el("tbody", {}, ...stages.map(s => el("tr", { class: s.error ? "failed" : "" }, cell("th", s.name, { scope: "row" }), cell("td", s.turn ? String(s.turn) : ""), cell("td", span(s.at_ms)), cell("td", span(s.took_ms)),
      ...kindsOfCall.map(k => cell("td", String((s.calls && s.calls[k]) || 0))),
      cell("td", [s.detail, ...(s.marks || []).map(m => m.name + " " + span(m.at_ms)), s.error].filter(Boolean).join("; "))))));
}
