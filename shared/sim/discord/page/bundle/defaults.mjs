// An avatar that needs no network, where nobody gave one.
const face = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'%3E%3Crect width='1' height='1' fill='%235865f2'/%3E%3C/svg%3E";
globalThis.$discordMessage = { avatars: { default: face, blue: face, gray: face, green: face, orange: face, red: face, pink: face } };
