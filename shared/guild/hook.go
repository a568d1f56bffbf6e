package guild

import (
	"context"
	"time"

	"tsumugi/shared/chat"
)

// Hook is what is known of the webhook through which personas speak in a channel with names and faces of their own. Discord has
// webhooks of channels; the threads and posts of a channel share its, and are known by their parent alone.
type Hook struct {
	Parent  chat.ChannelID // the channel that has the webhook: a thread's parent, else the channel itself
	ID      chat.HookID    // "" while there is none
	Token   Sealed         // of the webhook, in HookContext; whoever has it speaks in the channel
	Trouble int            // Discord's code for why there is none; 0 when nobody knows of any
	Since   time.Time      // of the trouble, as it was last seen
	Rev     int64          // how often it was written
}

// HookContext is what the token of a channel's webhook is sealed for.
func HookContext(parent chat.ChannelID) Context {
	return Context{"channel": string(parent), "secret": "webhook token"}
}

// Hooks keeps webhooks.
type Hooks interface {
	// Hooks reads what is known of channels in one round trip; of which nothing is known, they are not in it.
	Hooks(ctx context.Context, channels ...chat.ChannelID) (map[chat.ChannelID]Hook, error)
	// SaveHook replaces what is known of a channel, if its Rev is still the one that was read; chat.ErrRaced otherwise.
	SaveHook(ctx context.Context, channel chat.ChannelID, h Hook) error
}
