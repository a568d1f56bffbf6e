// What the page knows: the guild, its channels, who there is, who speaks here. The server's state is the truth; this gives it names.

import { ask } from "./net.js";

export const world = {
  state: null,
  me: null,          // the user who speaks in this tab
  channel: null,     // the channel that is open: one of rooms()
  last: new Map(),   // channel id → newest message id
  seen: new Map(),   // channel id → newest message id that was looked at
  known: new Map(),  // account id → {id, name, avatar, app}, also personas that speak through webhooks
};

export const kinds = { text: 0, dm: 1, voice: 2, category: 4, news: 5, forum: 15 };
const threads = [10, 11, 12];

// refresh reads the state again.
export async function refresh() {
  const first = world.state === null, s = world.state = await ask("GET", "/state");
  for (const u of s.users) learn({ id: u.id, name: u.name, avatar: s.faces[u.id], app: false });
  for (const u of [s.bot, ...s.bots]) learn({ id: u.id, name: u.name, avatar: s.faces[u.id], app: true });
  for (const [id, message] of Object.entries(s.last || {})) world.last.set(id, message);
  if (first) for (const [id, message] of world.last) world.seen.set(id, message);
  if (world.me) world.me = s.users.find(u => u.id === world.me.id) || s.users[0];
}

function learn(who) {
  const old = world.known.get(who.id);
  world.known.set(who.id, { ...old, ...who, avatar: who.avatar || (old && old.avatar) });
}

// face says who wrote a message: name, avatar, colour. A webhook has one id and many names.
export function face(message) {
  const a = message.author, name = a.global_name || a.username || "somebody";
  const who = { id: a.id, key: message.webhook_id ? a.id + " " + name : a.id, name, app: Boolean(a.bot || message.webhook_id), avatar: pictureOf(a) };
  if (!message.webhook_id) who.avatar ||= (world.known.get(a.id) || {}).avatar;
  learn({ ...who, id: who.key });
  return who;
}

// voiceOf is the voice in which the application speaks a message: its first line is a name in bold and nothing else. Of a name that
// nobody declared there is no picture. The text is what follows; null where the application speaks for itself.
export function voiceOf(message) {
  const m = message.author && message.author.bot && !message.webhook_id && /^\*\*(?!\*)([^\n]{1,200}?)\*\*[ \t]*(?:\n([\s\S]*))?$/.exec(message.content || "");
  if (!m || /(^|[^\\])\*\*/.test(m[1])) return null;
  const name = m[1].replace(/\\([\\*_~`|>#<\[\]()-])/g, "$1"), known = message.author.id === world.state.bot.id && world.state.voices.find(v => v.name === name);
  return { name, known: Boolean(known), avatar: known && known.image || "", text: m[2] || "" };
}

// speaker is who a reader takes for the author: a voice that is known, or the account.
export function speaker(message) {
  const who = face(message), voice = voiceOf(message);
  return voice && voice.known ? { ...who, name: voice.name, avatar: voice.avatar } : who;
}

// words are the text of a message without the line that names its voice.
export function words(message) {
  const voice = voiceOf(message);
  return voice && voice.known ? voice.text : message.content;
}

// pictureOf is the address of an account's picture on this server, "" where it has none.
export const pictureOf = a => a.avatar ? "/avatars/" + a.id + "/" + a.avatar + ".png" : (world.state.faces[a.id] || "");

// nameOf is the name of an account, as far as anybody said it.
export function nameOf(id) { return (world.known.get(id) || { name: "somebody" }).name; }
export function roleName(id) { return (world.state.roles.find(r => r.id === id) || { name: "role" }).name; }
export function roomName(id) { const r = room(id); return r ? r.name : "a channel"; }

// tint is a number that a name always gets: base.css has a colour for each, light and dark.
export function tint(name) {
  let n = 0;
  for (const c of name) n = (n * 31 + c.codePointAt(0)) >>> 0;
  return n % 8;
}
const hues = ["#c0392b", "#b5651d", "#7a6a00", "#2d7d46", "#0e7c86", "#3b6fd4", "#7d4fc4", "#b03a8c"];

// portrait is the address of a picture: the account's own where it is of this server, else its first letter on its colour.
export function portrait(who) {
  if (who.avatar && ours(who.avatar)) return who.avatar;
  const letter = ([...who.name.trim()][0] || "?").toUpperCase().replace(/[<>&"']/g, "·");
  return "data:image/svg+xml," + encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="${hues[tint(who.name)]}"/>` +
    `<text x="20" y="27" font-family="sans-serif" font-size="19" font-weight="600" fill="#fff" text-anchor="middle">${letter}</text></svg>`);
}

// ours tells whether a picture may be shown: of this server, or in the text itself. The page asks no other host for anything.
export function ours(address) {
  if (typeof address !== "string") return false;
  if (/^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/i.test(address)) return true;
  try { return new URL(address, location.href).origin === location.origin; } catch { return false; }
}

// link is an address that may be followed, or "".
export function link(address) {
  try { return /^https?:$/.test(new URL(address).protocol) ? address : ""; } catch { return ""; }
}

// rooms are the places one can write in, in the order of the list: channels by category, each with its threads, then direct messages.
export function rooms() {
  const s = world.state;
  const all = s.channels.map((c, i) => ({
    id: c.id, name: c.name, kind: c.type ?? 0, parent: c.parent || c.parent_id || "", topic: c.topic || "", position: c.position ?? i,
    archived: Boolean(c.archived || (c.thread_metadata && c.thread_metadata.archived)),
  }));
  const top = (a, b) => a.position - b.position;
  const list = [], ids = new Set(all.map(c => c.id));
  const withThreads = c => {
    list.push(c);
    for (const t of all) if (t.parent === c.id && threads.includes(t.kind)) list.push({ ...t, thread: true });
  };
  const loose = all.filter(c => c.kind !== kinds.category && !threads.includes(c.kind));
  loose.filter(c => !c.parent || !ids.has(c.parent)).sort(top).forEach(withThreads);
  for (const group of all.filter(c => c.kind === kinds.category).sort(top)) {
    list.push({ ...group, heading: true });
    loose.filter(c => c.parent === group.id).sort(top).forEach(withThreads);
  }
  for (const d of s.dms || []) list.push({ id: d.id, name: s.bot.name, kind: kinds.dm, dm: true, user: d.user, parent: "", topic: "" });
  return list;
}

export function room(id) { return rooms().find(r => r.id === id) || null; }

// unread tells whether something came that nobody looked at here.
export function unread(id) {
  const last = world.last.get(id);
  if (!last) return false;
  const seen = world.seen.get(id);
  return !seen || BigInt(last) > BigInt(seen);
}

// mine tells whether a room is for the person who speaks: everybody's, or their own direct messages.
export const mine = r => !r.dm || r.user === world.me.id;
