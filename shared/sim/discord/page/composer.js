// The message box: a draft for each channel, replies, completion, the limit said and not cut, and who is typing.

import { ask, at } from "./net.js";
import { $, el, icon, iconButton } from "./dom.js";
import { attempt, toast } from "./toast.js";
import { nameOf, pictureOf, portrait, speaker, world } from "./world.js";
import { Completion, people, places } from "./complete.js";
import { commands, fitting, meant, values } from "./command.js";
import { CommandForm } from "./form.js";
import { useCommand } from "./interact.js";
import * as log from "./log.js";

const most = 4000; // code points of a person's message
const drafts = new Map(), typists = new Map();
let field, form, bar, count, typing, reply = null, command = null, completion, told = 0, sending = false;

export function begin(actions) {
  typing = el("div", { id: "typing" });
  bar = el("div", { id: "replying", hidden: true });
  field = el("textarea", { id: "text", rows: "1", "aria-label": "Message", enterkeyhint: "send", autocomplete: "off" });
  count = el("output", { id: "count", for: "text", hidden: true });
  form = el("form", { id: "compose", on: { submit: e => { e.preventDefault(); sendOrRun(); } } },
    field, count, el("button", { id: "send", type: "submit", class: "iconic", "aria-label": "Send", title: "Send" }, icon("send")));
  $("foot").append(bar, form, typing);
  completion = new Completion(field, [
    { pattern: /^\/([^\n]{0,100})$/, find: slashed, most: 100,
      none: async () => (await commands(1)).length ? "No command of this name." : "No commands here yet." },
    people, places]);
  new ResizeObserver(([e]) => document.documentElement.style.setProperty("--foot", e.borderBoxSize[0].blockSize + "px")).observe($("foot"));
  field.addEventListener("input", () => { changed(); byName(); });
  field.addEventListener("keydown", e => {
    if (completion.key(e)) return;
    if (e.key === "Enter" && !e.shiftKey && !e.isComposing) { e.preventDefault(); sendOrRun(); }
    else if (e.key === "Escape" && reply) { e.stopPropagation(); answer(null); }
    else if (e.key === "ArrowUp" && field.value === "" && !e.altKey) {
      const own = log.lastOf(v => !v.system && v.message.author.id === world.me.id);
      if (own) { e.preventDefault(); own.edit(); }
    }
  });
}

function changed() {
  const n = [...field.value].length;
  count.hidden = n < most - 400;
  count.textContent = String(most - n);
  count.classList.toggle("over", n > most);
  drafts.set(world.channel.id, field.value);
  if (Date.now() - told < 8000 || !field.value || field.value.startsWith("/")) return;
  told = Date.now();
  ask("POST", "/typing", { channel: world.channel.id, user: world.me.id }).catch(() => {}); // a sign, and no more
}

// enter brings out the draft of the channel that was opened.
export function enter(hint) {
  endCommand();
  field.value = drafts.get(world.channel.id) || "";
  field.placeholder = hint;
  answer(null);
  for (const id of [...typists.keys()]) stopTyping(id);
  told = 0;
  completion.close();
  changed();
}

// renewed looks again at the commands that are being shown, for there may be others.
export function renewed() { if (!form.hidden && document.activeElement === field && field.value.startsWith("/")) completion.look(); }

export const focus = () => command ? command.focus() : field.focus();

// slashed are the commands that what stands behind the slash may mean.
async function slashed(word) {
  const all = await commands(1), call = meant(all, "/" + word), bot = world.state.bot;
  const list = call && call.spaced ? [call.command, ...fitting(all, word).filter(c => c !== call.command)] : fitting(all, word);
  return list.map(c => ({ label: "/" + c.shown, below: c.description, picture: portrait({ name: bot.name, avatar: pictureOf(bot) }), act: () => run(c, call && call.command === c ? values(c, call.rest) : {}) }));
}

// byName opens the form of a command when its name is typed to the end, and a space behind it.
async function byName() {
  const line = field.value;
  if (!line.startsWith("/") || line.includes("\n")) return;
  const all = await commands(1), call = meant(all, line), longer = call && all.some(c => c !== call.command && [c.shown, c.name].some(n => n.toLowerCase().startsWith(line.slice(1).toLowerCase())));
  if (field.value === line && call && call.spaced && !longer && !command) run(call.command, values(call.command, call.rest));
}

// sendOrRun sends what was typed, or opens the form of the command that it calls.
async function sendOrRun() {
  const line = field.value;
  if (line.startsWith("/") && !line.includes("\n")) {
    const call = meant(await commands(1), line.trim());
    if (field.value !== line) return;
    if (call) { run(call.command, values(call.command, call.rest)); return; }
  }
  await send();
}

// propose puts a text into the box, as if it had been typed; a command opens its form.
export async function propose(text) {
  const call = text.startsWith("/") && meant(await commands(1), text);
  if (call) { run(call.command, values(call.command, call.rest)); return; }
  endCommand();
  field.value = text;
  changed();
  field.focus();
}

// answer makes the next message a reply, or no reply.
export function answer(view) {
  reply = view;
  bar.hidden = !view;
  if (!view) return;
  bar.replaceChildren(el("span", {}, "Replying to ", el("b", { text: speaker(view.message).name }), el("span", { class: "soft", text: " " + log.preview(view) })),
    iconButton("close", "Do not reply", () => { answer(null); field.focus(); }));
  field.focus();
}

// gone forgets a reply whose message was deleted.
export function gone(id) { if (reply && reply.id === id) answer(null); }

async function send() {
  const content = field.value, n = [...content].length, channel = world.channel.id;
  if (sending || !content.trim()) return;
  if (n > most) { toast(`That is ${n} characters; a message may have ${most}. Nothing was sent, and nothing was cut.`); return; }
  const to = reply;
  sending = true; // and the box is emptied at once: what is typed meanwhile stays
  field.value = "";
  drafts.delete(channel);
  answer(null);
  changed();
  const ok = await attempt(() => ask("POST", at(channel, "messages"), { author: world.me.id, content, reply_to: to ? to.id : "" }));
  sending = false;
  if (!ok && !drafts.get(channel)) {
    drafts.set(channel, content);
    if (world.channel.id === channel) { field.value = content; changed(); if (to && log.view(to.id)) answer(to); }
  }
  told = 0;
}

// run opens the form of a command instead of the box.
function run(c, given) {
  field.value = "";
  changed();
  completion.close();
  show(new CommandForm(c, { send: submit, cancel: () => endCommand(true) }, given));
}

function show(f) {
  endCommand();
  command = f;
  form.hidden = true;
  form.before(f.node);
  f.focus();
}

// submit sends a command. The box is free at once; the form comes back as it was where the command could not be sent, or is to be tried
// again.
async function submit(f) {
  const here = world.channel.id, me = world.me.id;
  const again = why => {
    if (world.channel.id !== here || world.me.id !== me || command) { if (why) toast(why); return; }
    show(f);
    f.complain(why || "");
  };
  let options;
  try { options = await f.options(); } catch (e) { f.complain(e.message); return; }
  endCommand(true);
  answer(null);
  await attempt(() => useCommand("command", f.command, { options }, { back: again, again: () => again("") }));
}

function endCommand(back) {
  if (command) command.node.remove();
  command = null;
  form.hidden = false;
  if (back) field.focus();
}

// typed shows that somebody types, for ten seconds or until they have spoken.
export function typed(user) {
  if (user === world.me.id) return;
  clearTimeout(typists.get(user));
  typists.set(user, setTimeout(stopTyping, 10000, user));
  showTyping();
}

export function stopTyping(user) {
  clearTimeout(typists.get(user));
  if (typists.delete(user)) showTyping();
}

function showTyping() {
  const names = [...typists.keys()].map(nameOf);
  const dots = el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
  const who = names.length > 3 ? ["Several people"] : names;
  typing.replaceChildren(...(names.length ? [dots, el("b", { text: who.join(", ") }), names.length > 1 ? " are typing…" : " is typing…"] : []));
}
