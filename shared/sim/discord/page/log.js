// The messages of the open channel: in order, each once, grouped by author and day, following the newest unless the reader has gone up.

import { ask, at } from "./net.js";
import { $, el, later } from "./dom.js";
import { MessageView } from "./message.js";
import { plain } from "./markdown.js";
import { words, world } from "./world.js";
import { attempt } from "./toast.js";
import { welcome } from "./welcome.js";

const views = new Map(); // message id → MessageView
let order = [];          // the same, oldest first
let held = null;         // events that came while the history was on its way
let pinned = true;       // the newest is in view, and stays so
let actions = null, fresh = "";
let top = 0;             // where the list was scrolled to when it was last looked at
const sizes = new ResizeObserver(() => stick()); // the list and its messages: components draw themselves late, and a panel makes them narrower

const log = $("log"), newest = $("newest");

// begin says what a message's buttons do, and starts to watch the list.
export function begin(given) {
  actions = given;
  log.addEventListener("scroll", scrolled, { passive: true });
  sizes.observe(log);
  new MutationObserver(stick).observe(log, { childList: true, subtree: true, characterData: true });
  newest.addEventListener("click", () => { down(); $("text").focus(); });
  log.addEventListener("keydown", walk);
  log.addEventListener("focusin", e => rove(e.target.closest("[data-id][role=article]")));
}

// scrolled tells a reader who goes up from all else that scrolls. What is added moves nobody up, and our own going down may be told
// of only after more was added, so how far it is to the end says nothing by itself; a list that became shorter ends at its end.
function scrolled() {
  const up = log.scrollTop < top - 1, rest = log.scrollHeight - log.scrollTop - log.clientHeight;
  top = log.scrollTop;
  if (up && rest > 2) pinned = false;
  else if (!up && rest < 60) pinned = true;
  newest.hidden = pinned || order.length === 0;
  if (pinned) newest.classList.remove("more");
}

// end scrolls to the newest where it is to be in view.
function end() {
  if (!pinned) return;
  log.scrollTop = log.scrollHeight;
  top = log.scrollTop;
}

// stick keeps the newest in view after anything has grown; once more in the next frame, for components draw themselves late.
function stick() {
  end();
  requestAnimationFrame(end);
}

// still keeps a message where it is while something changes the list's width, or brings it into view where it was not.
export function still(node, change) {
  const before = node.getBoundingClientRect().top;
  change();
  if (pinned) end();
  else log.scrollTop += node.getBoundingClientRect().top - before;
  const at = node.getBoundingClientRect(), frame = log.getBoundingClientRect();
  if (at.bottom < frame.top + 24 || at.top > frame.bottom - 24) {
    pinned = false;
    node.scrollIntoView({ block: at.height > frame.height ? "start" : "nearest" });
  }
  top = log.scrollTop;
  newest.hidden = pinned || order.length === 0;
}

// down goes to the newest.
export function down() { pinned = true; newest.hidden = true; newest.classList.remove("more"); stick(); }

// load shows the channel that is open. What happens meanwhile is shown after it.
export async function load({ keep = false } = {}) {
  const here = world.channel.id, mine = held = [];
  if (log.hasAttribute("aria-busy")) keep = false; // the first look at the channel, in whose place this one comes
  if (!keep) { clear(); log.setAttribute("aria-busy", "true"); }
  let ok = false;
  try {
    ok = await attempt(async () => {
      const list = await ask("GET", at(here, "messages") + "?as=" + encodeURIComponent(world.me.id));
      if (held !== mine || world.channel.id !== here) return;
      replace(list.filter(visible), keep);
    });
  } finally {
    if (held === mine) { held = null; log.removeAttribute("aria-busy"); for (const f of mine) f(); if (!keep) down(); }
  }
  return ok;
}

const dismissed = new Set(); // messages for one person that the person has put away

const visible = m => !m.deleted && !dismissed.has(m.id) && (!m.ephemeral_to || m.ephemeral_to === world.me.id);

// dismiss puts away a message that only this person sees.
export function dismiss(v) {
  dismissed.add(v.id);
  remove(v.id);
}

function clear() {
  for (const v of order) { sizes.unobserve(v.node); v.drop(); }
  views.clear();
  order = [];
  log.replaceChildren();
  fresh = "";
}

// replace brings the list to what the server has, keeping what is the same: after a lost connection nothing jumps.
function replace(list, keep) {
  if (keep) for (const v of order.filter(v => !v.message.local && !list.some(m => m.id === v.id))) take(v.id);
  const seen = world.seen.get(world.channel.id);
  if (!keep) fresh = (list.find(m => (!seen || BigInt(m.id) > BigInt(seen)) && m.author.id !== world.me.id) || {}).id || "";
  const box = document.createDocumentFragment();
  for (const m of list) {
    const known = views.get(m.id);
    if (known) known.paint(m);
    else put(m, keep ? null : box);
  }
  log.append(box);
  arrange();
  look();
}

function put(m, box) {
  const v = new MessageView(m, actions);
  views.set(m.id, v);
  let i = order.length;
  while (i > 0 && BigInt(order[i - 1].id) > BigInt(m.id)) i--;
  order.splice(i, 0, v);
  sizes.observe(v.node);
  if (box) box.append(v.node);
  else if (i + 1 < order.length) order[i + 1].node.before(v.node);
  else log.append(v.node);
  return v;
}

// arrange draws the lines between days and before what is new, and joins what belongs together.
const arrange = () => {
  const shown = log.querySelector(":scope > .welcome"), stays = shown && order.length === 0 && shown.dataset.room === world.channel.id; // somebody may be about to press it
  for (const line of log.querySelectorAll(":scope > .line, :scope > .welcome")) if (line !== shown || !stays) line.remove();
  let before = null;
  if (order.length === 0 && !stays) { const card = welcome(world.channel, actions); if (card) log.append(card); }
  for (const v of order) {
    const newDay = before && before.date.toDateString() !== v.date.toDateString();
    const isFresh = v.id === fresh;
    if (newDay || isFresh) v.node.before(el("div", { class: "line" + (isFresh ? " fresh" : ""), role: "separator" },
      el("span", { text: newDay ? v.date.toLocaleDateString([], { dateStyle: "long" }) : isFresh ? "New" : "" })));
    v.join(!newDay && !isFresh && v.continues(before));
    v.node.classList.toggle("joined", Boolean(v.joined));
    before = v;
  }
  if (order.length && !order.some(v => v.node.tabIndex === 0)) order[order.length - 1].node.tabIndex = 0;
  actions.changed(order);
};

// during runs a change now, or after the history that is on its way.
const during = f => held ? held.push(f) : f();

// create, update and remove are what the event stream tells of the open channel.
export const create = m => during(() => {
  if (!visible(m)) return;
  const known = views.get(m.id);
  if (known) { known.paint(m); return; }
  settle(m);
  const v = put(m);
  arrange();
  look();
  if (!pinned && m.author.id !== world.me.id) { newest.hidden = false; newest.classList.add("more"); }
  if (m.author.id === world.me.id || m.local || m.ephemeral_to) down();
  if (m.author.id !== world.me.id && !v.face.app) say(v.spoken());
  else if (v.face.app && !m.ephemeral_to && !(m.flags & 128)) v.grow();
});

// settle takes away the line that said that a command was being sent, once its answer is here.
function settle(m) {
  if (m.local || !m.interaction || !m.interaction_metadata || m.interaction_metadata.user.id !== world.me.id) return;
  const line = order.find(v => v.message.local === "sending");
  if (line) take(line.id);
}

export const update = m => during(() => {
  const v = views.get(m.id);
  if (v && visible(m)) {
    const voice = v.voice && v.voice.name;
    v.paint(m, true);
    if (voice !== (v.voice && v.voice.name)) arrange();
  }
  for (const other of order) { // previews of replies follow what they answer
    const r = other.message.referenced_message;
    if (r && r.id === m.id && r.content !== m.content) other.paint({ ...other.message, referenced_message: { ...r, content: m.content } });
  }
});

export const remove = id => during(() => {
  if (!views.has(id)) return;
  take(id);
  for (const other of order) if (other.message.referenced_message && other.message.referenced_message.id === id) other.paint({ ...other.message, referenced_message: null });
  arrange();
});

function take(id) {
  const v = views.get(id);
  const had = v.node.contains(document.activeElement);
  sizes.unobserve(v.node);
  v.drop();
  views.delete(id);
  order = order.filter(o => o !== v);
  if (had) $("text").focus();
}

// look remembers that the newest was seen, when the page is in front.
export function look() {
  if (document.visibilityState !== "visible") return;
  const last = order.length ? order[order.length - 1].id : world.last.get(world.channel.id);
  if (last) world.seen.set(world.channel.id, last);
  world.last.set(world.channel.id, last || "0");
}

export const view = id => views.get(id);
export const lastOf = test => order.findLast(test);
export const authors = () => [...new Map(order.map(v => [v.face.key, v.face])).values()];

// jump goes to a message and shows which it is.
export function jump(id) {
  const v = views.get(id);
  if (!v) return false;
  pinned = false;
  v.node.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  rove(v.node);
  v.node.focus({ preventScroll: true });
  v.node.classList.add("found");
  setTimeout(() => v.node.classList.remove("found"), 1600);
  return true;
}

function rove(node) {
  if (!node) return;
  for (const v of order) v.node.tabIndex = v.node === node ? 0 : -1;
}

// walk moves among the messages by the keyboard.
function walk(e) {
  const i = order.findIndex(v => v.node === e.target);
  if (i < 0 || e.altKey || e.ctrlKey || e.metaKey) return;
  const v = order[i];
  const to = { ArrowUp: i - 1, ArrowDown: i + 1, Home: 0, End: order.length - 1 }[e.key];
  if (to !== undefined) { e.preventDefault(); if (order[to]) order[to].node.focus(); else if (to > i) $("text").focus(); return; }
  const own = v.message.ephemeral_to, all = { r: () => actions.reply(v), e: () => v.message.author.id === world.me.id && v.edit(), t: () => actions.trace(v), Delete: () => actions.remove(v, false) };
  const act = e.key === "Escape" ? () => $("text").focus() : own ? { Delete: () => actions.dismiss(v) }[e.key] : all[e.key];
  if (act) { e.preventDefault(); act(); }
}

// say reads something aloud to those who listen: a message once, not every edit of it.
export const say = later(150, text => { $("said").textContent = text; });
export const settled = v => { if (views.has(v.id)) { say(v.spoken()); arrange(); } };
export const preview = v => plain(words(v.message)) || "a message without text";
