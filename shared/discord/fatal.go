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
	Code   int    // of the gateway; 0 when there are more shards than this relay holds
	Intent bool   // it was about the message content intent, and the bot may run without it
	Later  bool   // it is about the number of shards, which Discord may change by itself
	Fix    string // what to do, for the one who runs the bot
}

// Error gives code and remedy.
func (f *Fatal) Error() string {
	if f.Code == 0 {
		return f.Fix
	}
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
	return &Fatal{Code: code, Intent: code == closeDisallowed && content, Later: code == closeSharding, Fix: fixes[code]}
}

// tooMany says that Discord wants more sessions than this form of the relay holds.
func tooMany(n, most int) *Fatal {
	return &Fatal{Later: true, Fix: fmt.Sprintf("the bot is in so many servers that Discord asks for %d sessions, and this form of the relay holds %d. "+
		"Run the relay as a process (infra/relay.Dockerfile)", n, most)}
}
