// Building the page's elements. Every text goes in as a text node: nothing here, nor anywhere else in the page, reads markup.

// el builds an element. Props: "class", "text", "on" ({event: handler}), "data" ({key: value}); everything else is an attribute,
// where true means present, and false, null and undefined mean absent.
export function el(tag, props = {}, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") e.className = value;
    else if (key === "text") e.textContent = value;
    else if (key === "on") for (const [name, f] of Object.entries(value)) e.addEventListener(name, f);
    else if (key === "data") Object.assign(e.dataset, value);
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.filter(c => c !== null && c !== undefined && c !== false));
  return e;
}

export const $ = id => document.getElementById(id);

// flag sets or takes away an attribute without a value.
export const flag = (e, name, on) => e.toggleAttribute(name, Boolean(on));

// The icons, drawn for this page: strokes in a square of 24.
const shapes = {
  hash: "M9 4 7 20M17 4l-2 16M4 9h16M3 15h16", at: "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0v1.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-3.5 7.1",
  thread: "M5 5v9a3 3 0 0 0 3 3h11M15 13l4 4-4 4M9 5h11M9 10h8", forum: "M4 5h12v8H9l-4 3v-3H4zM19 9h2v9h-1v3l-4-3H9",
  speaker: "M4 9v6h4l5 4V5L8 9zM17 9a4 4 0 0 1 0 6M19.5 6a8 8 0 0 1 0 12",
  reply: "M10 6 4 12l6 6M4 12h9a7 7 0 0 1 7 7", edit: "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4", trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1", smile: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM8 14a4.5 4.5 0 0 0 8 0M9 9v.5M15 9v.5",
  trace: "M3 5h7M8 10h8M6 15h6M13 20h8", close: "M6 6l12 12M18 6 6 18", menu: "M4 6h16M4 12h16M4 18h16",
  people: "M13 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM2 20a7 7 0 0 1 14 0M16 4.5a4 4 0 0 1 0 7M18 14a7 7 0 0 1 4 6",
  theme: "M20 14.5A8.5 8.5 0 1 1 9.5 4 7 7 0 0 0 20 14.5z", help: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17v.3",
  send: "M4 4l17 8-17 8 3-8zM7 12h14", file: "M6 3h8l5 5v13H6zM14 3v5h5", apps: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM17 14v6M14 17h6",
  globe: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM3 12h18M12 3c3.3 3.6 3.3 14.4 0 18M12 3c-3.3 3.6-3.3 14.4 0 18", upload: "M12 16V4M7 9l5-5 5 5M4 16v4h16v-4",
  eye: "M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z", alert: "M12 4 2.5 20h19zM12 10v5M12 17.5v.3",
  down: "M6 9l6 6 6-6", slash: "M16 4 8 20", window: "M4 5h11v3M4 5v14h12v-3M13 12h8M18 9l3 3-3 3",
};

export function icon(name) {
  const ns = "http://www.w3.org/2000/svg", svg = document.createElementNS(ns, "svg"), path = document.createElementNS(ns, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", shapes[name]);
  svg.append(path);
  return svg;
}

// iconButton is a button that shows an icon and says its label to those who do not see it.
export function iconButton(name, label, click, props = {}) {
  return el("button", { type: "button", class: "iconic", "aria-label": label, title: label, ...props, on: { click, ...props.on } }, icon(name));
}

// later calls f once, some milliseconds after the last call.
export function later(ms, f) {
  let timer;
  return (...args) => { clearTimeout(timer); timer = setTimeout(f, ms, ...args); };
}
