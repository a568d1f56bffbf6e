// Whom and what one can choose: people, roles and channels, as options of commands and menus offer them.

import { pictureOf, portrait, world } from "./world.js";

// guildOf is the guild of the open channel, "" in direct messages.
const guildOf = () => (world.state.channels.find(c => c.id === world.channel.id) || {}).guild || "";

function users() {
  const s = world.state;
  const all = world.channel.dm ? [world.me, s.bot] : [...s.users, s.bot, ...s.bots];
  return all.map(u => ({ label: u.name, value: u.id, hint: s.users.some(x => x.id === u.id) ? "" : "app", picture: portrait({ name: u.name, avatar: pictureOf(u) }) }));
}

const roles = () => world.channel.dm ? [] : world.state.roles.map(r => ({ label: r.name.startsWith("@") ? r.name : "@" + r.name, value: r.id, hint: "role" }));

const kinds = { 2: "voice", 4: "category", 5: "announcements", 10: "thread", 11: "thread", 12: "thread", 15: "forum", 16: "media" };

function channels(types) {
  const guild = guildOf();
  return world.state.channels.filter(c => c.guild === guild && guild && (!types || !types.length || types.includes(c.type)))
    .map(c => ({ label: c.type === 4 ? c.name : "#" + c.name, value: c.id, hint: kinds[c.type] || "" }));
}

// entities are the choices of one kind: "user", "role", "mentionable" or "channel", the last of some types.
export function entities(kind, types) {
  return { user: users, role: roles, mentionable: () => [...users(), ...roles()], channel: () => channels(types) }[kind]();
}
