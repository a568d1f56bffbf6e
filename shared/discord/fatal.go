package discord

import "fmt"

// Close codes of the gateway that are decided on.
const (
	closeOurs             = 4000 // keeps the session, unlike 1000 and 1001
	closeNotAuthenticated = 4003
	closeAuthentication   = 4004
	closeSequence         = 4007
	closeTimedOut         = 4009
	closeShard            = 4010
	closeSharding         = 4011
	closeVersion          = 4012
	closeIntents          = 4013
	closeDisallowed       = 4014
)

// Fatal means that Discord will not have this bot until somebody changes its settings. It says what to change.
type Fatal struct {
	Code   int    // of the gateway
	Intent bool   // it was about the message content intent, and the bot may run without it
	Fix    string // what to do, for the one who runs the bot
}

// Error gives code and remedy.
func (f *Fatal) Error() string {
	return fmt.Sprintf("discord refuses the bot (gateway close code %d): %s", f.Code, f.Fix)
}

// fixes are the remedies by close code.
var fixes = map[int]string{
	closeAuthentication: "the bot token is not valid. Take a new one from the developer portal (your application, Bot, Reset Token) and set it",
	closeShard:          "the shard number does not fit the number of shards",
	closeSharding:       "the bot is in too many servers for this number of shards. Leave the number to Discord; if it was left, Discord refuses its own number: start the bot again later",
	closeVersion:        "this version of Tsumugi speaks a version of the gateway that Discord ended; update it",
	closeIntents:        "this version of Tsumugi asks for intents that Discord does not know; update it",
	closeDisallowed: "the application may not read message content. Switch on \"Message Content Intent\" in the developer portal " +
		"(your application, Bot, Privileged Gateway Intents). Mentions, replies to the bot and direct messages work without it",
}

func newFatal(code int, content bool) *Fatal {
	return &Fatal{Code: code, Intent: code == closeDisallowed && content, Fix: fixes[code]}
}
