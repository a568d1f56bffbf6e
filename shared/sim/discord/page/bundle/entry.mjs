// What `make page` bundles into components.js: the components of Discord's look that this page uses, and nothing else. The defaults
// come first: the library reads them while it loads, and its own would fetch avatars from Discord.
import "./defaults.mjs";
import { DiscordActionRow } from "@skyra/discord-components-core/discord-action-row.js";
import { DiscordAuthorInfo } from "@skyra/discord-components-core/discord-author-info.js";
import { DiscordButton } from "@skyra/discord-components-core/discord-button.js";
import { DiscordEmbed } from "@skyra/discord-components-core/discord-embed.js";
import { DiscordEmbedDescription } from "@skyra/discord-components-core/discord-embed-description.js";
import { DiscordEmbedFooter } from "@skyra/discord-components-core/discord-embed-footer.js";
import { DiscordMention } from "@skyra/discord-components-core/discord-mention.js";
import { DiscordMessage } from "@skyra/discord-components-core/discord-message.js";
import { DiscordMessages } from "@skyra/discord-components-core/discord-messages.js";
import { DiscordReaction } from "@skyra/discord-components-core/discord-reaction.js";
import { DiscordReactions } from "@skyra/discord-components-core/discord-reactions.js";
import { DiscordReply } from "@skyra/discord-components-core/discord-reply.js";
import { DiscordSystemMessage } from "@skyra/discord-components-core/discord-system-message.js";
import { DiscordVerifiedAuthorTag } from "@skyra/discord-components-core/discord-verified-author-tag.js";

// The classes by tag, so that skin.js can give each its colours before the first one is made.
export const components = {
  "discord-action-row": DiscordActionRow, "discord-author-info": DiscordAuthorInfo, "discord-button": DiscordButton,
  "discord-embed": DiscordEmbed, "discord-embed-description": DiscordEmbedDescription, "discord-embed-footer": DiscordEmbedFooter,
  "discord-mention": DiscordMention, "discord-message": DiscordMessage, "discord-messages": DiscordMessages,
  "discord-reaction": DiscordReaction, "discord-reactions": DiscordReactions, "discord-reply": DiscordReply,
  "discord-system-message": DiscordSystemMessage, "discord-verified-author-tag": DiscordVerifiedAuthorTag,
};
