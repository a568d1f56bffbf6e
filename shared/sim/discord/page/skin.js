// The components' inner styles, brought to today's Discord: colours from base.css for light and dark (their own are fixed and partly
// too pale to read), room for long names, and nothing that only a mouse can do. They apply to what index.html holds, and to every
// element made afterwards.

import { components } from "./components.js";

const skins = {
  "discord-messages": `
    :host { background: transparent; color: var(--text); border: 0; font-family: var(--font); line-height: 1.375; }
    ::slotted(*), ::slotted(*:not(:first-child)) { margin-top: 0; }
    ::slotted(*:last-child) { margin-bottom: 0; }`,
  "discord-message": `
    :host { color: var(--text); font-family: var(--font); font-size: 1rem; flex: none; line-height: 1.375; padding: .125rem 3rem .125rem 1rem !important; min-height: 0; }
    :host(:hover), :host(:focus-within), :host(:focus) { background: var(--hover); }
    :host([message-body-only]) { padding-top: .0625rem !important; }
    :host([highlight]) { background: var(--called); }
    :host([highlight])::before { background: var(--called-edge); }
    :host([ephemeral]) { background: var(--private); }
    :host([ephemeral])::before { background: var(--brand); }
    .discord-message-inner-center { align-items: flex-start; }
    .discord-author-avatar { margin: 2px 16px 0 0; }
    .discord-author-avatar img { cursor: default; object-fit: cover; background: var(--rail); }
    .discord-message-content { padding-top: 0; line-height: inherit; min-width: 0; }
    .discord-message-body { word-break: normal; overflow-wrap: anywhere; }
    :host .discord-message-markup { line-height: inherit; overflow-wrap: anywhere; }
    .discord-message-timestamp { color: var(--soft) !important; font-size: .75rem; margin-left: .25rem; white-space: nowrap; }
    .discord-message-body-only-indent { width: 56px; margin: 0 !important; flex: none; font-size: .6875rem; line-height: 1.375rem; text-align: right; padding-right: 8px; box-sizing: border-box; overflow: hidden; }
    .discord-message-edited { color: var(--soft) !important; font-size: .625rem; }
    .discord-message-ephemeral { display: none; }
    @media (pointer: coarse) { :host(:hover) { background: none; } }`,
  "discord-author-info": `
    :host { max-width: 100%; vertical-align: bottom; }
    :host .discord-author-username { color: var(--strong); font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    :host .discord-author-username:hover { cursor: default; text-decoration: none; }`,
  "discord-verified-author-tag": `:host { background: var(--brand); color: #fff; font-weight: 600; font-size: .625rem; padding: 0 .3rem; border-radius: .2rem; flex: none; }`,
  "discord-reply": `
    :host { color: var(--soft); font-family: var(--font); min-width: 0; margin-bottom: 2px; cursor: pointer; overflow: visible; max-width: calc(100% - 56px); }
    :host(:hover) { color: var(--text); }
    :host:before, :host::before { border-color: var(--line-strong) !important; }
    .discord-application-tag { background: var(--brand); color: #fff; font-weight: 600; }
    .discord-replied-message-username { color: var(--strong); opacity: 1; max-width: 40%; overflow: hidden; text-overflow: ellipsis; }
    .discord-replied-message-content { min-width: 0; overflow: hidden; unicode-bidi: plaintext; }
    .discord-replied-message-content:hover { color: inherit; }
    .discord-message-edited { display: none; }
    .discord-reply-badge { background: var(--rail); color: var(--soft); }
    .discord-replied-message-avatar { object-fit: cover; }`,
  "discord-mention": `
    :host { color: var(--mention); background: var(--mention-back); cursor: default; unicode-bidi: isolate; }
    :host(:hover) { color: var(--mention); background: var(--mention-back); }`,
  "discord-embed": `
    :host { color: var(--text); margin: 4px 0; max-width: 100%; }
    :host .discord-left-border { background-color: var(--line-strong); }
    :host .discord-embed-wrapper { background: var(--card); border-color: var(--line); max-width: min(520px, 100%); min-width: 0; }
    :host .discord-embed-wrapper .discord-embed-grid { grid-template-columns: minmax(0, 1fr) auto; overflow-wrap: anywhere; }
    :host .discord-embed-image { max-width: min(400px, 100%); }`,
  "discord-embed-description": `:host { margin-top: 6px; line-height: 1.3; }`,
  "discord-embed-footer": `:host { color: var(--soft); font-size: .75rem; margin-top: 8px; }`,
  "discord-reactions": `:host { margin-top: 4px; gap: 4px; }`,
  "discord-reaction": `
    :host > *:first-child { background: var(--card); border-color: var(--line); margin: 0; min-height: 1.5rem; box-sizing: border-box; }
    :host > *:first-child:hover { background: var(--card); border-color: var(--line-strong); }
    :host([reacted]) > *:first-child { background: var(--mention-back); border-color: var(--brand); }
    :host .discord-reaction-count { color: var(--soft); }
    :host([reacted]) .discord-reaction-count { color: var(--mention); }
    @media (pointer: coarse) { :host > *:first-child { min-height: 2.2rem; } :host .discord-reaction-inner { padding: .3rem .6rem; } }`,
  "discord-system-message": `
    :host { font-family: var(--font); color: var(--soft) !important; font-size: .95rem !important; padding: .25rem 1rem !important; background: none !important; }
    .discord-message-timestamp { color: var(--soft) !important; }`,
};

const still = "@media (prefers-reduced-motion: reduce) { * { transition: none !important; animation: none !important; } }";

for (const [tag, text] of Object.entries(skins)) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text + still);
  components[tag].elementStyles.push(sheet);
  for (const e of document.querySelectorAll(tag)) if (e.shadowRoot) e.shadowRoot.adoptedStyleSheets.push(sheet);
}
