// The page: it reads the state, opens a channel, follows the events, and ties the parts together.

import "./skin.js";
import { ask, at, listen } from "./net.js";
import { $, el, iconButton, later } from "./dom.js";
import { attempt, sure, toast } from "./toast.js";
import { mine, refresh, room, rooms, world } from "./world.js";
import { drawMembers, drawRooms, drawSelf, drawTop, neighbour } from "./sidebar.js";
import { modal, useCommand, useComponent } from "./interact.js";
import { pickLocale } from "./locale.js";
import { back, pickEmoji, place, reacted } from "./reactions.js";
import { commands, forget } from "./command.js";
import { offerAgain, welcome } from "./welcome.js";
import * as chips from "./chips.js";
import * as composer from "./composer.js";
import * as log from "./log.js";
import * as trace from "./trace.js";

// What the buttons of a message do.
const actions = {
  reply: v => composer.answer(v),
  propose: text => composer.propose(text),
  done: () => composer.focus(),
  settled: v => log.settled(v),
  trace: v => trace.open(v),
  jump: id => { if (!log.jump(id)) toast("That message is not here any more."); },
  dismiss: v => { log.dismiss(v); composer.focus(); },
  save: (v, content) => attempt(() => ask("PATCH", at(v.message.channel_id, "messages", v.id), { content })),
  react: (v, from) => pickEmoji(from, e => actions.toggle(v.message, e, !(v.message.reactions || []).some(r => r.emoji.name === e && reacted(v.message, r)))),
  toggle: (m, emoji, on) => attempt(() => {
    const path = at(m.channel_id, "messages", m.id, "reactions"), who = { user: world.me.id, emoji };
    return on ? ask("POST", path, who) : ask("DELETE", path + "?" + new URLSearchParams(who));
  }),
  async copy(v) {
    try { await navigator.clipboard.writeText(v.id); toast("Copied " + v.id + "."); } catch { toast("The id is " + v.id + "."); }
  },
  async remove(v, unasked) {
    if (unasked || await sure("Delete this message by " + v.face.name + "?", "Delete")) await attempt(() => ask("DELETE", at(v.message.channel_id, "messages", v.id)));
    else v.node.focus();
  },
  async apps(v, from) {
    const list = [];
    await attempt(async () => { list.push(...await commands(3)); });
    if (!list.length) { toast("No app offers anything for messages here."); return; }
    const box = el("div", { class: "popup list", role: "menu", "aria-label": "Apps" });
    let left = false; // taking the box away takes the focus out of it, which asks for the same again
    const leave = () => { if (left) return; left = true; box.remove(); };
    box.append(...list.map(c => el("button", { type: "button", role: "menuitem", text: c.shown, on: { click: () => { leave(); attempt(() => useCommand("message", c, { target: v.id })); } } })));
    box.addEventListener("keydown", e => { if (e.key === "Escape") { e.stopPropagation(); leave(); back(from); } });
    box.addEventListener("focusout", e => { if (!box.contains(e.relatedTarget)) leave(); });
    box.tabIndex = -1;
    place(box, from);
    box.querySelector("button").focus();
  },
  // offered tells whether any app offers something for messages.
  offered: async () => (await commands(3)).length > 0,
  interact: (m, what) => attempt(() => useComponent(m, what)),
};

const draw = () => { drawRooms(id => attempt(() => open(id))); drawSelf({ speakAs, theme, language }); };
const drawPeople = later(50, () => drawMembers(log.authors(), call => { composer.propose(call); folded(); }));

// open goes to a channel; direct messages that were never opened are opened now.
async function open(id) {
  if (id === "dm") id = (await ask("POST", "/dms", { user: world.me.id })).id;
  if (!room(id)) await refresh();
  const r = room(id);
  if (!r) throw new Error("there is no such channel");
  if (trace.isOpen() && (!world.channel || world.channel.id !== id)) trace.leave();
  world.channel = r;
  forget();
  history.replaceState(null, "", "#" + new URLSearchParams({ channel: id, as: world.me.id }));
  folded();
  heading();
  document.body.classList.toggle("membered", localMembers());
  composer.enter(r.dm ? "Message @" + r.name : "Message #" + r.name);
  chips.clear();
  draw();
  await log.load();
  log.look();
  draw();
  drawPeople();
  if (!matchMedia("(pointer: coarse)").matches) composer.focus();
}

const heading = () => drawTop({ drawer, members, help });

async function speakAs(id) {
  world.me = world.state.users.find(u => u.id === id);
  const next = world.channel.dm ? (rooms().find(r => r.dm && mine(r)) || { id: "dm" }).id : world.channel.id;
  await attempt(() => open(next));
  $("who").focus();
}

// language lets the person who speaks, and the guild, be of another language.
function language() {
  const guild = world.channel.guild || world.state.guild.id;
  pickLocale(() => $("language"), {
    mine: locale => attempt(() => ask("PATCH", "/users/" + world.me.id, { locale })),
    guild: locale => attempt(() => ask("PATCH", "/guilds/" + guild, { locale })),
  });
}

function theme() {
  const light = getComputedStyle(document.documentElement).colorScheme === "light", next = light ? "dark" : "light";
  document.documentElement.dataset.theme = next;
  try { localStorage.setItem("theme", next); } catch { /* it holds until the page is left */ }
}

async function help() {
  const slash = (await commands(1)).length > 0;
  const box = el("dialog", { class: "box about", "aria-label": "About this channel" });
  const leave = () => { box.close(); box.remove(); };
  box.append(iconButton("close", "Close", leave, { class: "iconic close" }), welcome(world.channel, { propose: t => { leave(); composer.propose(t); } }, { brief: true }),
    el("p", { class: "quiet", text: world.state.notice }),
    el("div", { class: "keys" }, ...[["Alt ↑ ↓", "another channel"], ["↑", "edit your last message"], ["Shift Tab, ↑ ↓", "walk through the messages"], ["R, E, T, Delete", "reply, edit, trace, delete there"], ...(slash ? [["/", "commands"]] : []), ["@", "mention"], ["Esc", "close, cancel, back"]]
      .map(([key, what]) => el("p", {}, el("kbd", { text: key }), " " + what))));
  box.addEventListener("cancel", e => { e.preventDefault(); leave(); });
  document.body.append(box);
  box.showModal();
}

// The drawer of a narrow window, and the list of members beside a wide one.
function drawer() {
  const on = document.body.classList.toggle("drawn");
  $("shade").hidden = !on;
  $("drawer").setAttribute("aria-expanded", String(on));
  if (on) ($("rooms").querySelector("[aria-current]") || $("rooms").querySelector("button")).focus();
}

function folded() {
  document.body.classList.remove("drawn", "peopled");
  $("shade").hidden = true;
  if ($("drawer")) $("drawer").setAttribute("aria-expanded", "false");
}

const localMembers = () => { try { return localStorage.getItem("members") !== "off"; } catch { return true; } };

function members() {
  if (innerWidth < 1000) { $("shade").hidden = !document.body.classList.toggle("peopled"); return; }
  const on = document.body.classList.toggle("membered");
  try { localStorage.setItem("members", on ? "on" : "off"); } catch { /* as above */ }
}

function keys(e) {
  if (e.altKey && (e.key === "ArrowUp" || e.key === "ArrowDown")) { e.preventDefault(); attempt(() => open(neighbour(e.key === "ArrowUp" ? -1 : 1))); }
  if (e.key !== "Escape" || e.defaultPrevented) return;
  if (!$("shade").hidden) { folded(); composer.focus(); } else if (trace.isOpen()) trace.close();
}

const drawSoon = later(30, draw);
const stale = later(200, () => attempt(async () => { await refresh(); await renewed(room(world.channel.id)); }));

// renewed goes on in the open channel as it is now, or in the first where it is gone.
function renewed(r) {
  if (!r) return open(world.state.channels[0].id);
  const other = r.name !== world.channel.name || r.topic !== world.channel.topic;
  world.channel = r;
  forget();
  offerAgain();
  composer.renewed();
  if (other) heading();
  draw();
  drawPeople();
}

// follow ties the events to the open channel, and marks the others.
function follow() {
  const here = d => d.channel === world.channel.id;
  listen({
    create(d) {
      composer.stopTyping(d.message.author.id);
      if (d.message.ephemeral_to && d.message.ephemeral_to !== world.me.id) return;
      world.last.set(d.channel, d.message.id);
      if (here(d)) { log.create(d.message); drawPeople(); } else if (room(d.channel)) drawSoon(); else stale();
      if (document.visibilityState !== "visible" || !here(d)) drawSoon();
    },
    update: d => { if (here(d)) log.update(d.message); },
    delete: d => { if (here(d)) { log.remove(d.id); composer.gone(d.id); } },
    typing: d => { if (here(d)) composer.typed(d.user); },
    modal: d => { if (d.user === world.me.id && document.visibilityState === "visible") modal(d); },
    state: stale,
  }, () => {
    offline(false);
    attempt(async () => {
      await refresh();
      notice();
      await log.load({ keep: true });
      draw();
    });
  }, () => {
    offline(true);
  });
}

// offline says that the connection is lost for as long as it is.
function offline(lost) {
  if (document.body.classList.contains("offline") === lost) return;
  document.body.classList.toggle("offline", lost);
  $("lost").textContent = lost ? "The connection is lost; trying again." : "";
}

function notice() { $("notice").textContent = $("label").title = world.state.notice; }

async function start() {
  await refresh();
  notice();
  const wanted = new URLSearchParams(location.hash.slice(1)), s = world.state;
  world.me = s.users.find(u => u.id === wanted.get("as") || u.name === wanted.get("as")) || s.users[0];
  composer.begin(actions);
  log.begin({ ...actions, changed: list => chips.draw(world.channel, list, actions) });
  const first = rooms().find(r => (r.id === wanted.get("channel") || r.name === wanted.get("channel")) && mine(r) && !r.heading) || rooms().find(r => !r.heading);
  $("shade").addEventListener("click", folded);
  document.addEventListener("keydown", keys);
  document.addEventListener("visibilitychange", () => { log.look(); draw(); });
  await open(first.id);
  follow();
  document.body.dataset.ready = "";
}

attempt(start);
