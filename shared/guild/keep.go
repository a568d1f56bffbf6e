package guild

import (
	"context"
	"errors"
	"time"

	"tsumugi/shared/chat"
)

// Library is what workers read of settings. Reads are consistent with the last change.
type Library interface {
	// Place is a channel as it is set up; the guild is empty in direct messages. It is one round trip.
	Place(ctx context.Context, guild string, channel chat.ChannelID) (Place, error)
}

// Book is what admins read and change. A guild "" is the installation, and has no channels.
type Book interface {
	// Settings reads a guild's; zero when nothing was set.
	Settings(ctx context.Context, guild string) (Settings, error)
	// Channel reads a channel's; zero when nothing was set.
	Channel(ctx context.Context, guild string, channel chat.ChannelID) (Channel, error)
	// Channels reads those of a guild's channels for which something is set, at most MaxChannels.
	Channels(ctx context.Context, guild string) (map[chat.ChannelID]Channel, error)
	// Change edits settings and notes who did what, in one transaction. edit is called with what is set now, and again with
	// what is set then when somebody was faster; it completes the Change (On, Was, Is), and its error ends the matter with
	// nothing changed. ErrSame says so without an entry in the notes. channel "" leaves the Channel alone (edit gets a zero one).
	// A change is made once for its ID, however often it is called: repeated, it returns the Change as it was noted and does not
	// call edit; its texts are cut to a line. What is kept is checked: ErrInvalid when something is not as Validate wants it,
	// ErrTooMuch when it would not fit. A persona that is gone takes its face and its style with it, a provider its list of models.
	Change(ctx context.Context, guild string, channel chat.ChannelID, c Change, edit Edit) (Change, error)
	// Changes lists what was changed, the newest first; next is "" at the end, else what to ask with for more.
	Changes(ctx context.Context, guild, after string, limit int) (list []Change, next string, err error)

	// Models lists the names of models that a provider of the guild offered when it was last tested; nil when nobody knows.
	Models(ctx context.Context, guild, provider string) ([]string, error)
	// SaveModels replaces the list.
	SaveModels(ctx context.Context, guild, provider string, models []string) error
	// Face reads the picture of a persona, a PNG or JPEG of at most MaxFace bytes; nil when it has none.
	Face(ctx context.Context, guild, persona string) ([]byte, error)
	// SaveFace replaces it; nil removes it.
	SaveFace(ctx context.Context, guild, persona string, picture []byte) error

	// Note keeps a few words of a dialogue for a while, at most MaxNote bytes, under a name that is only known to whoever is in it.
	Note(ctx context.Context, guild, name string, text []byte, life time.Duration) error
	// Noted reads them; nil when they are gone.
	Noted(ctx context.Context, guild, name string) ([]byte, error)
}

// Edit changes what it is given.
type Edit func(s *Settings, c *Channel, note *Change) error

// What fits beside the settings, in bytes.
const (
	MaxFace = 256 << 10 // the picture of a persona
	MaxNote = 128 << 10 // what somebody has typed: five fields of a form of Discord, of 4,000 characters each
)

// MaxChannels is how many channels of one guild are listed: twice as many as Discord lets one have, as threads are channels too.
const MaxChannels = 1000

// ChangeLife is how long it is known who changed what.
const ChangeLife = 90 * 24 * time.Hour

// Change is an entry of the notes: who changed what, when. It holds no secret and no text longer than a line.
type Change struct {
	ID   chat.EventID   `json:"id"` // of the interaction that changed it, a snowflake
	By   chat.UserID    `json:"by"`
	At   time.Time      `json:"at"`
	What string         `json:"what"` // the command: "persona edit"
	On   string         `json:"on,omitempty"`
	In   chat.ChannelID `json:"in,omitempty"` // the channel that it is about
	Was  string         `json:"was,omitempty"`
	Is   string         `json:"is,omitempty"`
}

// Errors of a Book.
var (
	// ErrSame is for an Edit that finds nothing to do.
	ErrSame = errors.New("it is set like this already")
	// ErrInvalid is what every error of Validate wraps.
	ErrInvalid = errors.New("invalid settings")
	// ErrTooMuch means that the settings would be larger than MaxSettings, or a picture or note than may be kept.
	ErrTooMuch = errors.New("the settings would be too large")
)

// Sealer keeps secrets: what it sealed only it can open, and only in the same context. It is held to package sealtest.
type Sealer interface {
	// Seal encrypts a secret of 1 to MaxSecret bytes for the context.
	Seal(ctx context.Context, in Context, secret string) (Sealed, error)
	// Open gives the secret back. ErrUnsealable, which never passes, when it was sealed in another context or by another key, or
	// was changed. No error holds the secret.
	Open(ctx context.Context, in Context, s Sealed) (string, error)
}

// Context is what a secret belongs to. It is no secret itself, but part of what is authenticated (AWS KMS: encryption context).
type Context map[string]string

// Sealed is a secret that only its Sealer can read.
type Sealed []byte

// MaxSecret is the longest secret in bytes (AWS KMS, Encrypt).
const MaxSecret = 4096

// ErrUnsealable is what opening fails with when it can never succeed.
var ErrUnsealable = errors.New("the secret cannot be opened: it belongs elsewhere, or was changed")

// KeyContext is the context of a provider's key.
func KeyContext(guild, provider string) Context {
	return Context{"guild": guild, "provider": provider, "secret": "provider key"}
}
