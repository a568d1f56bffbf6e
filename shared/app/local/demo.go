package local

import (
	"context"
	"embed"
	"fmt"
	"log/slog"

	"tsumugi/shared/app"
	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/store"
)

// The faces of the demo personas, by id; the drawings they were made from stand beside them.
//
//go:embed avatars/*.png
var avatars embed.FS

// room is a channel of the simulated Discord in which one persona answers everything.
type room struct {
	channel, persona, title, text string
	try                           []string
}

// rooms show one thing each, for somebody's first minute. The lounge is the simulator's own, the others are ours.
func rooms() []room {
	return []room{
		{"lounge", "mira", "Mira lights the lamps here", "She answers everything that is said in this channel, and her reply grows while you watch.",
			[]string{"Hello!", "What about the bell?", "Tell me a story", "/setup", "/help"}},
		{"ferry", "fenn", "Fenn tells tales, and does not mind being stopped", "Ask him something. While he speaks, say \"stop\", or ask something else: he breaks off and takes up what you said last.",
			[]string{"What is the ferry called?", "stop", "No, tell me about the far shore instead"}},
		{"ledger", "quill", "Quill remembers what you tell it", "Tell it something about yourself, talk of something else, and ask for it back. Then speak as somebody else: it keeps people apart.",
			[]string{"My name is Ana. I like rain, and my cat is called Soot.", "What do you know about me?"}},
	}
}

// welcomes are the cards of the page: one a room, and one for the hall, where people have to call somebody.
func welcomes() []simdiscord.Welcome {
	var all []simdiscord.Welcome
	for _, r := range rooms() {
		all = append(all, simdiscord.Welcome{Channel: r.channel, Title: r.title, Text: r.text, Image: "/avatars/" + r.persona + ".png", Try: r.try})
	}
	all = append(all, simdiscord.Welcome{Channel: "dm", Title: "Mira, in private", Text: "She answers everything here. The others come when you name them.",
		Image: "/avatars/mira.png", Try: []string{"Good evening, Mira", "Quill, are you here too?"}})
	return append(all, simdiscord.Welcome{Channel: "hall", Title: "Everybody meets in the hall",
		Text: "Nobody answers here unless called: by name, by a mention, or by a reply. Call two, and both answer, one after the other.",
		Try:  []string{"Fenn and Quill, what do you say about the fog?", "Mira, who are you?"}})
}

// faces are the pictures of the personas by id, and by name for the one that the bot account is.
func faces() (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, p := range persona.Demos() {
		face, err := avatars.ReadFile("avatars/" + p.ID + ".png")
		if err != nil {
			return nil, fmt.Errorf("face of %s: %w", p.ID, err)
		}
		if all[p.ID] = face; p.Main {
			all[p.Name] = face
		}
	}
	return all, nil
}

// voices are the personas that speak through the bot account under a name of their own.
func voices() []simdiscord.Voice {
	var all []simdiscord.Voice
	for _, p := range persona.Demos() {
		if !p.Main {
			all = append(all, simdiscord.Voice{Name: p.Name, Image: "/avatars/" + p.ID + ".png"})
		}
	}
	return all
}

// avatar is where Discord finds a persona's picture. The demo personas have theirs in the simulated one.
func (p *process) avatar(guild string, who persona.Persona) string {
	if p.sim != nil && who.Avatar == "" {
		if _, err := avatars.Open("avatars/" + who.ID + ".png"); err == nil {
			return p.public + "/avatars/" + who.ID + ".png"
		}
	}
	return app.Avatar(p.public, guild, who)
}

// simulate makes the simulated Discord of a process without a token.
func (p *process) simulate(o simdiscord.Options) (*simdiscord.Server, error) {
	var err error
	if o.Avatars, err = faces(); err != nil {
		return nil, err
	}
	o.Welcome, o.Voices = welcomes(), voices()
	for _, r := range rooms()[1:] {
		o.Channels = append(o.Channels, r.channel)
	}
	o.Explain = p.traces.Explain
	o.Picture = func(path string) []byte {
		face, err := app.FaceAt(context.Background(), app.Ports{KV: p.kv}, path)
		if err != nil {
			slog.Warn("a picture was not read", "error", err)
		}
		return face
	}
	return simdiscord.New(o), nil
}

// seed gives a new installation its personas, and the simulated Discord the rooms in which one of them answers everything. What
// people have set since is left alone.
func (p *process) seed(ctx context.Context, book *store.Book) error {
	if err := app.Seed(ctx, book); err != nil || p.sim == nil {
		return err
	}
	state := p.sim.State()
	for _, r := range rooms() {
		set := guild.Channel{Always: true, Host: r.persona}
		if err := book.SeedChannel(ctx, state.Guild.ID, chat.ChannelID(state.Channel(r.channel)), set); err != nil {
			return err
		}
	}
	return nil
}

// newborn is what relays keep, without sessions: those of the simulated Discord end with the process, and to ask for one that
// is gone costs seconds. The watermark stays, for the messages do.
type newborn struct{ chat.Relays }

// Shard reads what is kept of a shard.
func (n newborn) Shard(ctx context.Context, shard int) (chat.Shard, error) {
	s, err := n.Relays.Shard(ctx, shard)
	s.Session = chat.Session{}
	return s, err
}
