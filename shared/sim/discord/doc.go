// Package discord is a simulated Discord: the REST calls and the gateway that a chat bot needs, held in memory and on demand
// in a file (Keep), with Discord's rules, limits and accidents. It is imported as simdiscord by tests, benches and the local assembly.
//
// It is an independent opinion about Discord. It therefore has its own JSON types and imports neither a Discord library
// nor any other room of the product; what it must never hold is knowledge of the bot it serves. Its word on what Discord
// does is checked against Discord's published OpenAPI description and against clients that nobody here wrote.
//
// A Server is an http.Handler for one loopback address:
//
//	/api/v9/… /api/v10/…   REST, with "Authorization: Bot <token>" (the table of routes is in route.go)
//	/gateway               the WebSocket that GET /gateway names
//	/                      a page with the channels, to be a person by hand
//	/attachments/…         files that were uploaded, under signed links that expire, as messages carry them;
//	                       /ephemeral-attachments/… those that people handed over with an interaction
//	/avatars/{id}/{hash}.png, /avatars/{name}.png, /embed/avatars/{n}.png   pictures of users and webhooks, of Options.Avatars, and
//	                       of accounts that have none
//	/sim/…                 the control API, below: what people and moderators do, and what tests look at
//
// # Control API
//
// Bodies are JSON. Requests that change something need "Content-Type: application/json" and, where a browser sends an
// Origin, the same host; every request needs a loopback Host. A channel in a path is an id, a name
// ("lounge", "hall") or "dm:<user>"; an author or user is an id or a name. Errors are {"error": "…"} with 400, 403 or 404.
//
//	GET    /sim/state                          State: application, bot, guild, channels, dms, users, bots, roles, notice, gateway counts,
//	                                           "welcome" (what a channel is and what to try), "voices" (names that speak through the bot), "last"
//	                                           messages, "faces" (paths of pictures), "locale" of the first guild, "locales" of people
//	GET    /sim/channels/{channel}/messages    array, oldest first; each message with "edits": [{content, at}] (earlier contents, oldest
//	                                           first, with the time each was written), "pinged" (whom it notified) "reactors" ([{emoji, users}]) and "deleted" with ?deleted=1
//	POST   /sim/channels/{channel}/messages    Saying → the message; a MESSAGE_CREATE goes out. "@Name" becomes a mention.
//	PATCH  /sim/channels/{channel}/messages/{id}   {content} → the message, edited by its author (not for the bot's messages)
//	DELETE /sim/channels/{channel}/messages/{id}   204, deleted by its author or by a moderator (also the bot's messages)
//	POST   /sim/channels/{channel}/messages/{id}/reactions   {user, emoji} → 204; an emoji is one in Unicode, or "name:id" of the guild's
//	DELETE /sim/channels/{channel}/messages/{id}/reactions?user=…&emoji=…   204; without both a moderator takes all of them away
//	POST   /sim/channels/{channel}/webhooks    {user, name} → {id, token}: a webhook of a person, which no application owns
//	POST   /sim/dms                            {user} → {id, user}: the channel of direct messages between user and bot
//	POST   /sim/typing                         {channel, user} → 204
//	GET    /sim/explain?message={id}           how the message came to be (below); 404 where nothing is known of it
//	PATCH  /sim/users/{user}                   {dms_closed, locale} → 204: whether the person takes direct messages of the bot, and the
//	                                           language of the person's client ("ja"; "en-US" at first)
//
// Guilds, channels and people; a moderator does these. {guild} is an id or a name, and the first guild where a body leaves it out.
// Roles and permissions go by id or by name ("@everyone"; "SEND_MESSAGES"), and fields that are left out stay as they are.
//
//	POST   /sim/guilds                         {name} → {id, name}: one more guild, with everybody and the bot in it
//	GET    /sim/guilds/{guild}                 GuildState: owner, roles, members, outage
//	PATCH  /sim/guilds/{guild}                 {name, owner, locale, outage} → 204; an outage is a guild that Discord cannot reach
//	PUT    /sim/guilds/{guild}/bot             {permissions} → 204: the bot is invited; DELETE → 204: it is removed
//	PUT    /sim/guilds/{guild}/members/{user}  204, joins; DELETE → 204, leaves
//	PATCH  /sim/guilds/{guild}/members/{user}  MemberChange (nick, avatar, roles, timeout in seconds) → 204
//	POST   /sim/guilds/{guild}/roles           RoleSpec → {id, name}
//	PATCH  /sim/guilds/{guild}/roles/{role}    RoleChange → 204; DELETE → 204
//	POST   /sim/channels                       ChannelSpec → Channel
//	PATCH  /sim/channels/{channel}             ChannelChange (threads too: archived, locked, tags) → Channel; DELETE → 204
//	PUT    /sim/channels/{channel}/overwrites  {for, allow, deny} → 204, in place of what was said of that role or member
//	POST   /sim/channels/{channel}/threads     ThreadSpec (on a message, private, or a forum's post) → Channel
//	POST   /sim/channels/{channel}/bulk-delete {messages} → 204, at once and with one event
//
// What tests look at and what goes wrong:
//
//	GET    /sim/calls                          array of Call, oldest first, the newest Options.CallsKept REST calls
//	GET    /sim/limits                         LimitState: what each bucket, the whole bot and the count of invalid requests stand at
//	GET    /sim/dispatches                     array of Dispatch, oldest first: which session got which event, or did not
//	GET    /sim/faults                         array of faults still armed
//	POST   /sim/faults                         Fault → 204; {"kind":"off"} disarms all
//	DELETE /sim/faults                         204, disarms all
//	GET    /sim/events                         server-sent events "create", "update", "delete", "typing", each {channel, message | id | user},
//	                                           and "state" where guilds, channels, people or commands changed
//
// What explain answers, made by Options.Explain; the page's trace view draws it. Times in milliseconds from "began". It grows while
// the reply does:
//
//	{"event", "channel", "plan": ids, "replies": [message ids], "began": RFC 3339, "total_ms", "outcome",
//	 "stages": [{"name", "detail", "at_ms", "took_ms", "turn": the reply from 1, 0 before any, "error": "" where all went well,
//	             "calls": {"store", "queue", "discord", "model"}, "marks": [{"name", "at_ms"}]}]}
//
// The application (application.go, command*.go, interaction.go) is used through:
//
//	GET    /sim/commands?channel=C&user=U      array of the commands that the user sees there, as Discord writes them; without user those
//	                                           that anybody may be shown there
//	POST   /sim/interactions                   Invocation → Outcome, after the application's first answer or three seconds. What Discord's
//	                                           client would not let a person do is 400, what is not there 404; then nothing was sent.
//	  {kind:"command", user, channel, command:"persona add", options:{name:"Mira"}}       subcommands stand behind the command's name
//	  {kind:"autocomplete", user, channel, command, options:{name:"Mi"}, focused:"name"}  → {id, state, choices:[{name, value}]}
//	  {kind:"user" | "message", user, channel, command, target}                           context menus; target is a user, or a message's id
//	  {kind:"component", user, channel, message, custom_id, values:["a"]}                 values of selects only; users, roles and channels
//	                                                                                      by name or id
//	  {kind:"modal", user, channel, interaction, fields:{custom_id:"text"}}               interaction is the id in the modal; once, and
//	                                                                                      again after a failure
//	  An option that is a file is {filename, content} with its bytes in base64, 10 MiB at most, or only described: {filename, size,
//	  content_type, url}. Of a form's entries a choice of several is an array, a box true or false, and files an array of such.
//	  Outcome {id, state:"answered"|"deferred"|"failed"|"sent", choices?, modal?, error?}; a modal is {channel, user, interaction, title,
//	  custom_id, components}
//	GET    /sim/channels/{channel}/messages?as=U   the history with U's ephemeral messages in it, each with "ephemeral_to": U's id
//	GET    /sim/signed                         SignedRequest: a PING with the signature and key to check it by
//
// and heard of by these server-sent events: "interaction" {channel, user, id, state}, when one is sent and when its state changes;
// "modal" {channel, user, interaction, title, custom_id, components}; and "create", "update", "delete" of ephemeral messages, which
// carry "ephemeral_to" beside "channel": show them to that user alone. A message whose flags have 128 is still thinking.
// Buttons of style 5 have a url and are only links.
//
// Most of these abilities are methods of Server: Say, Post, Edit, Delete, OpenDM, Type, Messages, Calls, State, Fault, ClearFaults;
// Guild, CreateGuild, ChangeGuild, InviteBot, RemoveBot, Join, Leave, ChangeMember, CreateRole, ChangeRole, DeleteRole, CreateChannel,
// ChangeChannel, DeleteChannel, SetOverwrite, StartThread, BulkDelete, CloseDMs; React, ClearReactions, CreateWebhook, Limits; Interact,
// MessagesAs, Sign, Recheck, SetLocale.
package discord
