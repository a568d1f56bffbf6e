// Runs before the first paint: the theme that was chosen, or what the system prefers, which base.css follows by itself.
"use strict";
(() => {
  try {
    const chosen = localStorage.getItem("theme");
    if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  } catch { /* storage is switched off: the system's preference counts */ }
})();
