package discord

import (
	"encoding/json"
	"time"
)

// Message types: default and reply are speech, the others here say what became of a thread.
const (
	typeDefault       = 0
	typeRenamed       = 4
	typeThreadCreated = 18
	typeReply         = 19
	typeThreadStarter = 21
)

// Flags of a message that a bot may set on creation.
const (
	flagSuppressEmbeds        = 1 << 2
	flagSuppressNotifications = 1 << 12
	flagVoiceMessage          = 1 << 13
	flagComponentsV2          = 1 << 15
	flagsOnCreate             = flagSuppressEmbeds | flagSuppressNotifications | flagVoiceMessage | flagComponentsV2
)

// Time is an instant as Discord writes it: UTC with microseconds and a numeric offset.
type Time struct{ time.Time }

// MarshalJSON writes the time in Discord's form.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(t.UTC().Format(`"2006-01-02T15:04:05.000000-07:00"`)), nil
}

// User is a user or bot account as Discord shows it to others.
type User struct {
	ID            string           `json:"id"`
	Username      string           `json:"username"`
	GlobalName    *string          `json:"global_name"`
	Avatar        *string          `json:"avatar"`
	Discriminator string           `json:"discriminator"`
	PublicFlags   int              `json:"public_flags"`
	Flags         int              `json:"flags"`
	Bot           bool             `json:"bot,omitempty"`
	PrimaryGuild  *json.RawMessage `json:"primary_guild"`
}

// mentioned is a user in a gateway message's mentions, which carry the member too.
type mentioned struct {
	User
	Member *member `json:"member,omitempty"`
}

// Attachment is a file of a message. Of what a person says the simulator keeps the description only; what is uploaded is held in
// memory and served.
type Attachment struct {
	ID          string  `json:"id"`
	Filename    string  `json:"filename"`
	ContentType string  `json:"content_type,omitempty"`
	Size        int     `json:"size"`
	URL         string  `json:"url"`
	ProxyURL    string  `json:"proxy_url"`
	Width       int     `json:"width,omitempty"`
	Height      int     `json:"height,omitempty"`
	Duration    float64 `json:"duration_secs,omitempty"`
	Waveform    string  `json:"waveform,omitempty"`
	Description string  `json:"description,omitempty"`
	Title       string  `json:"title,omitempty"`
	Ephemeral   bool    `json:"ephemeral,omitempty"` // it came with an interaction, and goes
}

// Sticker is a sticker as a message shows it.
type Sticker struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Format int    `json:"format_type"`
}

// Reference points from a reply (type 0) or a forward (type 1) to its origin.
type Reference struct {
	Type      int    `json:"type"`
	ChannelID string `json:"channel_id"`
	MessageID string `json:"message_id,omitempty"`
	GuildID   string `json:"guild_id,omitempty"`
}

// Referenced is the message a reply answers. A nil Message is written as null: it was deleted.
type Referenced struct{ Message *Message }

// MarshalJSON writes the message or null.
func (r Referenced) MarshalJSON() ([]byte, error) { return json.Marshal(r.Message) }

// UnmarshalJSON reads the message.
func (r *Referenced) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &r.Message) }

// Snapshot is a forwarded message as it was: it has no author.
type Snapshot struct {
	Message SnapshotMessage `json:"message"`
}

// SnapshotMessage is the part of a message that a forward carries.
type SnapshotMessage struct {
	Type            int               `json:"type"`
	Content         string            `json:"content"`
	Mentions        []User            `json:"mentions"`
	MentionRoles    []string          `json:"mention_roles"`
	Attachments     []Attachment      `json:"attachments"`
	Embeds          []json.RawMessage `json:"embeds"`
	Timestamp       Time              `json:"timestamp"`
	EditedTimestamp *Time             `json:"edited_timestamp"`
	Flags           int               `json:"flags"`
	Components      []json.RawMessage `json:"components"`
	StickerItems    []Sticker         `json:"sticker_items,omitempty"`
}

// Edit is an earlier content of a message and the time it was written.
type Edit struct {
	Content string `json:"content"`
	At      Time   `json:"at"`
}

// Message is a message as REST shows it, and three things that only the simulator's control side shows: Edits, Pinged, Deleted.
type Message struct {
	ID                string            `json:"id"`
	ChannelID         string            `json:"channel_id"`
	Author            User              `json:"author"`
	Content           string            `json:"content"`
	Timestamp         Time              `json:"timestamp"`
	EditedTimestamp   *Time             `json:"edited_timestamp"`
	TTS               bool              `json:"tts"`
	MentionEveryone   bool              `json:"mention_everyone"`
	Mentions          []User            `json:"mentions"`
	MentionRoles      []string          `json:"mention_roles"`
	Attachments       []Attachment      `json:"attachments"`
	Embeds            []json.RawMessage `json:"embeds"`
	Components        []json.RawMessage `json:"components"`
	StickerItems      []Sticker         `json:"sticker_items,omitempty"`
	Pinned            bool              `json:"pinned"`
	Type              int               `json:"type"`
	Flags             int               `json:"flags"`
	Nonce             any               `json:"nonce,omitempty"`
	WebhookID         string            `json:"webhook_id,omitempty"`
	ApplicationID     string            `json:"application_id,omitempty"`
	MessageReference  *Reference        `json:"message_reference,omitempty"`
	ReferencedMessage *Referenced       `json:"referenced_message,omitempty"`
	Snapshots         []Snapshot        `json:"message_snapshots,omitempty"`
	Thread            any               `json:"thread,omitempty"` // the thread that stands on it; set in what readers get
	Reactions         []Reaction        `json:"reactions,omitempty"`
	Poll              *Poll             `json:"poll,omitempty"`

	Interaction         *invoked  `json:"interaction,omitempty"`
	InteractionMetadata *metadata `json:"interaction_metadata,omitempty"`

	// Edits holds the earlier contents, oldest first.
	Edits []Edit `json:"-"`
	// Pinged holds whom the message notified, ever: user and role ids, "everyone", "here".
	Pinged []string `json:"-"`
	// EphemeralTo is the only user who sees the message; it is empty for all others.
	EphemeralTo string `json:"-"`
	// Deleted says that the message is gone from Discord; the simulator still remembers it.
	Deleted bool `json:"-"`
}

// speech says whether people may reply to the message.
func (m *Message) speech() bool {
	switch m.Type {
	case typeDefault, typeReply, 20, 23:
		return true
	}
	return false
}

// empty says whether Discord would refuse the message for want of anything to show.
func (m *Message) empty() bool {
	return m.Content == "" && len(m.Embeds) == 0 && len(m.Components) == 0 &&
		len(m.Attachments) == 0 && len(m.StickerItems) == 0 && len(m.Snapshots) == 0 && m.Poll == nil
}
