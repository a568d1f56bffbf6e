package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/llm"
	simdiscord "tsumugi/shared/sim/discord"
)

// provider is what a story says of its guild's provider.
type provider struct {
	Name  string `json:"name"`
	URL   string `json:"url"`
	Model string `json:"model"`
	Key   string `json:"key"`
}

// sets changes what is set in the story's guild; of the first settings also what is set for its channel, and the provider.
func (w *scene) sets(ctx context.Context, set json.RawMessage, first *settings) error {
	w.set++
	change := guild.Change{ID: chat.EventID(fmt.Sprint(w.set)), What: "set"}
	_, err := w.book.Change(ctx, w.guild, chat.ChannelID(w.home), change, func(s *guild.Settings, c *guild.Channel, _ *guild.Change) error {
		if set != nil {
			if err := json.Unmarshal(set, s); err != nil {
				return err
			}
		}
		if first == nil {
			return nil
		}
		c.Prompt = first.Prompt
		if first.Provider == nil {
			return nil
		}
		p, err := w.provider(ctx, *first.Provider)
		s.Provider, s.Providers = p.Name, []guild.Provider{p}
		return err
	})
	return err
}

// responds lets somebody ask for an answer to what was said last, as the command does.
func (w *scene) responds(ctx context.Context, st step) error {
	const apart = 5 * time.Millisecond // of its id from those of messages, before and after
	w.stage.pass(apart)
	var by simdiscord.Named
	for _, u := range w.sim.State().Users {
		if u.Name == st.names[0] {
			by = u
		}
	}
	e := chat.Event{What: chat.Said, ID: chat.EventID(chat.Snowflake(time.Now())), Channel: chat.ChannelID(w.home), Guild: w.guild, At: time.Now(),
		Author: chat.Author{ID: chat.UserID(by.ID), Name: by.Name}, Asked: &chat.Asked{}}
	if len(st.names) > 1 {
		e.Asked.Persona = st.names[1]
	}
	w.stage.pass(apart)
	w.mu.Lock()
	w.said = append(w.said, simdiscord.Message{ID: string(e.ID), ChannelID: w.home})
	w.mu.Unlock()
	return w.deliver(ctx, e)
}

// provider is a provider as it is kept.
func (w *scene) provider(ctx context.Context, p provider) (guild.Provider, error) {
	kept := guild.Provider{Name: p.Name, Kind: "custom", URL: p.URL, Model: p.Model}
	if p.Key == "" {
		return kept, nil
	}
	belongs := guild.KeyContext(w.guild, p.Name)
	if p.Key == "lost" {
		belongs = guild.KeyContext("elsewhere", p.Name)
	}
	var err error
	kept.Key, err = w.sealer.Seal(ctx, belongs, p.Key)
	return kept, err
}

// reach is the model at an address: the story's author too, who knows with which key and for which model it is asked.
func (w *world) reach(address string, current func(context.Context, string) (string, error)) (llm.Model, error) {
	return away{w, address, current}, nil
}

type away struct {
	w       *world
	address string
	current func(context.Context, string) (string, error)
}

// Stream answers where the key is right.
func (a away) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		key, err := a.current(ctx, "")
		switch {
		case err != nil:
			yield(llm.Delta{}, err)
			return
		case key == "wrong":
			yield(llm.Delta{}, &llm.Error{Kind: llm.Unauthorized, Status: 401})
			return
		}
		a.w.model.note(invocationOf(ctx).job.Event, fmt.Sprintf("model %s at %s with key %s", r.Model, a.address, key))
		for d, err := range (scripts{a.w}).Stream(ctx, r) {
			if !yield(d, err) {
				return
			}
		}
	}
}
