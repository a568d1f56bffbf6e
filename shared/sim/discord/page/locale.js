// The language that each person reads Discord in, and the one that the guild prefers: names and descriptions of commands follow the
// person's, and the application is told both.

import { el } from "./dom.js";
import { place } from "./reactions.js";
import { world } from "./world.js";

export const localeOf = user => world.state.locales[user] || "en-US";

// near are the languages that Discord's client takes where the person's own is not there.
const near = { "en-US": ["en-GB"], "en-GB": ["en-US"], "es-419": ["es-ES"] };

function inWords(texts, plain) {
  const mine = localeOf(world.me.id);
  for (const locale of [mine, ...(near[mine] || [])]) if (texts && texts[locale]) return texts[locale];
  return plain;
}

// named and described are what a command, an option or a choice is called in the language of the person who speaks.
export const named = x => inWords(x.name_localizations, x.name);
export const described = x => inWords(x.description_localizations, x.description) || "";

const offered = { "en-US": "English, US", ja: "日本語" };

function label(locale) {
  return offered[locale] || new Intl.DisplayNames(["en"], { type: "language" }).of(locale);
}

function pick(text, locale, change) {
  const all = { ...offered, [locale]: label(locale) };
  const field = el("select", { class: "field", on: { change: e => change(e.target.value) } },
    ...Object.entries(all).map(([value, name]) => el("option", { value, text: name, lang: value, selected: value === locale })));
  return el("label", {}, el("span", { text }), field);
}

// pickLocale opens the choice of both languages at an element; change is {mine(locale), guild(locale)}.
export function pickLocale(anchor, change) {
  const box = el("div", { class: "popup language", role: "dialog", "aria-label": "Language", tabindex: "-1" },
    pick(world.me.name + " reads Discord in", localeOf(world.me.id), change.mine), pick("This server prefers", world.state.locale, change.guild),
    el("p", { class: "quiet", text: "Commands are shown in the first where the app knows it, and the app is told both." }));
  let left = false;
  const leave = () => { if (left) return; left = true; box.remove(); };
  box.addEventListener("keydown", e => { if (e.key === "Escape") { e.stopPropagation(); leave(); anchor().focus(); } });
  box.addEventListener("focusout", e => { if (e.relatedTarget && !box.contains(e.relatedTarget)) leave(); });
  const outside = e => { if (!box.contains(e.target)) { leave(); removeEventListener("pointerdown", outside, true); } };
  addEventListener("pointerdown", outside, true);
  place(box, anchor());
  box.querySelector("select").focus();
}
