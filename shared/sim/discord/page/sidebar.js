// The list of channels, who speaks, and what was not read yet.

import { $, el, icon, iconButton } from "./dom.js";
import { kinds, mine, pictureOf, portrait, rooms, unread, world } from "./world.js";

const closed = new Set(); // categories that are folded

const shape = r => r.dm ? "at" : r.thread ? "thread" : r.kind === kinds.forum ? "forum" : r.kind === kinds.voice ? "speaker" : "hash";

// drawRooms lists the channels; open is called with the one that is chosen.
export function drawRooms(open) {
  const s = world.state, list = $("rooms"), focused = list.contains(document.activeElement) ? document.activeElement.dataset.id : "";
  $("guild").textContent = s.guild.name;
  $("guild-face").src = portrait({ name: s.guild.name, avatar: s.guild.icon_url });
  const all = rooms(), out = [];
  const dms = all.filter(r => r.dm && mine(r));
  if (!dms.length) dms.push({ id: "dm", name: s.bot.name, kind: kinds.dm, dm: true, user: world.me.id });
  let folded = false;
  for (const r of all.filter(r => !r.dm && !(r.archived && !unread(r.id)))) {
    if (r.heading) {
      folded = closed.has(r.id);
      out.push(el("button", { type: "button", class: "category", "aria-expanded": String(!folded), on: { click: () => { closed.has(r.id) ? closed.delete(r.id) : closed.add(r.id); drawRooms(open); } } }, icon("down"), r.name));
    } else if (!folded || unread(r.id) || r.id === (world.channel && world.channel.id)) out.push(line(r, open));
  }
  out.push(el("h2", { class: "category", text: "Direct messages" }), ...dms.map(r => line(r, open)));
  list.replaceChildren(...out);
  if (focused) { const again = list.querySelector(`[data-id="${CSS.escape(focused)}"]`); if (again) again.focus(); }
}

function line(r, open) {
  const here = world.channel && (world.channel.id === r.id), more = !here && unread(r.id);
  return el("button", {
    type: "button", class: "room" + (more ? " unread" : "") + (r.thread ? " thread" : ""), "data-id": r.id, "aria-current": here ? "page" : undefined,
    "aria-label": (r.dm ? "Direct messages with " : "") + r.name + (more ? ", unread" : ""), on: { click: () => open(r.id) },
  }, r.dm ? el("img", { src: portrait({ name: world.state.bot.name, avatar: pictureOf(world.state.bot) }), alt: "" }) : icon(shape(r)), el("span", { text: r.name }), more ? el("i", { class: "dot" }) : null);
}

// neighbour is the room above or below the open one, as the list shows them.
export function neighbour(step) {
  const ids = [...$("rooms").querySelectorAll(".room")].map(b => b.dataset.id), i = ids.indexOf(world.channel && world.channel.id);
  return ids[(i + step + ids.length) % ids.length];
}

// drawSelf shows who speaks in this tab, and lets another speak. elsewhere marks users whose direct messages were not read.
export function drawSelf({ speakAs, theme, language }) {
  const s = world.state;
  const waiting = s.users.filter(u => u.id !== world.me.id && (s.dms || []).some(d => d.user === u.id && unread(d.id)));
  const pick = el("select", { id: "who", "aria-label": "Speak as", on: { change: e => speakAs(e.target.value) } },
    ...s.users.map(u => el("option", { value: u.id, text: u.name + (waiting.includes(u) ? " •" : ""), selected: u.id === world.me.id })));
  const focused = ["who", "language", "theme"].find(id => document.activeElement && document.activeElement.id === id);
  $("self").replaceChildren(...[
    el("img", { src: portrait({ name: world.me.name, avatar: pictureOf(world.me) }), alt: "" }),
    el("label", { class: "as" }, el("small", { text: "Speak as" }), pick),
    waiting.length ? el("i", { class: "dot", title: "Unread for " + waiting.map(u => u.name).join(", ") }) : null,
    el("a", { class: "iconic", href: "#" + new URLSearchParams({ channel: world.channel ? world.channel.id : "", as: (s.users.find(u => u.id !== world.me.id) || world.me).id }), target: "_blank", rel: "noopener", "aria-label": "Open a second tab for somebody else", title: "Open a second tab for somebody else" }, icon("window")),
    iconButton("globe", "Language", language, { id: "language", "aria-haspopup": "dialog" }),
    iconButton("theme", "Light or dark", theme, { id: "theme" })].filter(Boolean));
  if (focused) $(focused).focus();
}

// drawTop is the line over the messages.
export function drawTop({ drawer, members, help }) {
  const c = world.channel, s = world.state;
  const hint = c.topic || (c.dm ? "Only " + world.me.name + " and " + s.bot.name + " read this." : "");
  $("top").replaceChildren(
    iconButton("menu", "Channels", drawer, { id: "drawer", "aria-expanded": "false", "aria-controls": "side" }),
    icon(shape(c)), el("h2", { id: "title", text: c.name }), el("span", { id: "hint", text: hint, title: hint }),
    iconButton("help", "About this channel", help, { id: "help" }), iconButton("people", "Members", members, { id: "people", "aria-controls": "members" }));
  document.title = (c.dm ? "" : "#") + c.name + " · " + s.guild.name + " (simulated Discord)";
}

// drawMembers is who there is: the bot and its voices first, for they are what one comes to talk with. mention is called with what
// calls somebody. Direct messages have two members.
export function drawMembers(authors, mention) {
  const s = world.state, two = world.channel && world.channel.dm, account = u => ({ ...u, avatar: pictureOf(u), about: "" });
  const voices = s.voices.map(v => ({ name: v.name, avatar: v.image || "", about: "speaks through " + s.bot.name, call: v.name + ", " }));
  const apps = [account(s.bot), ...(two ? [] : [...voices, ...s.bots.map(u => ({ ...account(u), about: "another app, ignored" }))])];
  for (const a of two ? [] : authors) if (a.app && !apps.some(x => x.name === a.name)) apps.push(a);
  const folk = two ? [world.me] : s.users;
  const card = (u, app) => el("li", {}, el("button", { type: "button", class: "member", title: "Mention " + u.name, on: { click: () => mention(u.call || "@" + u.name + " ") } },
    el("img", { src: portrait(u), alt: "" }), el("span", {}, el("b", { class: "tint-" + (app ? "app" : "user"), text: u.name }), app && !u.call ? el("i", { class: "tag", text: "App" }) : null,
      u.id === world.me.id ? el("small", { text: "you" }) : u.about ? el("small", { text: u.about }) : null)));
  $("members").replaceChildren(
    el("h2", { text: "Personas and apps — " + apps.length }), el("ul", {}, ...apps.map(u => card(u, true))),
    el("h2", { text: "People — " + folk.length }), el("ul", {}, ...folk.map(u => card({ ...u, avatar: pictureOf(u) }, false))));
}
