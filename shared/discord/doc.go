// Package discord is the adapter to Discord: a REST client that keeps the contract chat.Discord, the gateway session of the
// relay, the endpoint that Discord posts interactions to, and the pure functions that turn Discord's messages and interactions
// into words of package chat. Discord's message objects are discordgo's types; requests and the gateway's frames are small
// types of our own.
//
// The REST client never repeats a call by itself, never sleeps past its context, and says of every failure whether
// something may have happened. The gateway is supervised here rather than by discordgo's session, because that one hides
// the close code, answers an invalid session at once on the same socket and sleeps while it holds its lock (DESIGN
// section 9 asks for all three to be right).
//
// The gateway's side of the relay, from the outside in: gateway.go decides on shards, shard.go holds one session after the
// other, start.go lets one begin, link.go and dispatch.go are one connection, translate.go and normalize.go give payloads
// our words. progress.go knows which of them are on the queue, keep.go keeps that for the next process, catchup.go and
// missed.go read from the channels what no session repeats.
//
// Interactions come over HTTP, where endpoint.go verifies and answers them, or over the gateway, where respond.go does.
// interaction.go and interaction_data.go give them our words, answer.go and rows.go give answers Discord's form, amend.go puts
// a later answer in place of the first.
//
// Events of one channel are given to the queue in their order by one relay. Over the time in which two relays have sessions,
// while one takes over from the other, they are not ordered between the two: each puts what it hears, and the queue only
// takes the same event once.
//
// What must not live here: what a message means for a channel (package admit), how a turn shows its text (package turn),
// and anything of the store or the queues. The package knows packages chat and locale and no other room.
package discord
