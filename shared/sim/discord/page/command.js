// Commands of applications: which there are here for the person who speaks, and which of them a typed line means.

import { ask } from "./net.js";
import { described, named } from "./locale.js";
import { world } from "./world.js";

let known = { key: "", list: null };

// commands are those of the open channel: of kind 1 by a slash, 2 on a user, 3 on a message. Without any there is an empty list.
export async function commands(kind) {
  const channel = world.channel.id, user = world.me.id, key = channel + " " + user;
  if (known.key !== key) {
    const list = ask("GET", "/commands?" + new URLSearchParams({ channel, user })).then(all => flatten(all || []));
    known = { key, list };
    list.catch(() => { if (known.list === list) forget(); });
  }
  try { return (await known.list).filter(c => c.type === kind); } catch { return []; }
}

// forget makes the next look ask again.
export function forget() { known = { key: "", list: null }; }

// flatten gives each subcommand a line of its own, as Discord's list does: "persona add". name is what the application calls it, shown
// what the person reads.
function flatten(list) {
  const out = [];
  for (const c of list) {
    const add = path => {
      const last = path.at(-1);
      out.push({
        id: c.id, type: c.type || 1, name: path.map(p => p.name).join(" "), shown: path.map(named).join(" "), description: described(last),
        options: (last.options || []).filter(o => o.type > 2),
      });
    };
    const subs = (c.options || []).filter(o => o.type === 1 || o.type === 2);
    if (!subs.length) add([c]);
    for (const s of subs) {
      if (s.type === 1) add([c, s]);
      else for (const t of s.options || []) add([c, s, t]);
    }
  }
  return out;
}

const names = c => [c.shown.toLowerCase(), c.name.toLowerCase()];

// fitting are the commands that a typed word may mean, the likeliest first.
export function fitting(list, typed) {
  const word = typed.toLowerCase().replace(/\s+/g, " ");
  const rank = c => {
    const ranks = names(c).map(n => n === word ? 0 : n.startsWith(word) ? 1 : n.includes(" " + word) ? 2 : n.includes(word) ? 3 : 9);
    return Math.min(...ranks, word.length > 2 && c.description.toLowerCase().includes(word) ? 4 : 9);
  };
  return list.map(c => ({ c, at: rank(c) })).filter(x => x.at < 9).sort((a, b) => a.at - b.at || a.c.shown.localeCompare(b.c.shown)).map(x => x.c);
}

// meant is the command that a line calls by its whole name, with what stands behind it; null where the line calls none. A name that
// another one continues is meant only where the line ends with it.
export function meant(list, line) {
  if (!line.startsWith("/")) return null;
  const text = line.slice(1), low = text.toLowerCase();
  let best = null;
  for (const c of list) for (const n of names(c)) {
    if (low !== n && !(low.startsWith(n) && /\s/.test(low[n.length]))) continue;
    if (!best || n.length > best.length) best = { command: c, length: n.length, rest: text.slice(n.length).trim(), spaced: text.length > n.length };
  }
  return best;
}

// values reads "name: Mira loud: true" into texts by option. What stands before the first name is the first option's.
export function values(command, rest) {
  const out = {}, byName = new Map();
  for (const o of command.options) for (const n of [named(o), o.name]) byName.set(n.toLowerCase(), o.name);
  let at = command.options.length ? command.options[0].name : "", text = [];
  const end = () => { const value = text.join(" ").trim(); if (at && value) out[at] = value; text = []; };
  for (const word of rest.split(/\s+/)) {
    const m = /^([^:]+):(.*)$/.exec(word), name = m && byName.get(m[1].toLowerCase());
    if (!name) { text.push(word); continue; }
    end();
    at = name;
    if (out[at] === undefined) out[at] = "";
    text.push(m[2]);
  }
  end();
  return out;
}
