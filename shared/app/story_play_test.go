package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv"
	"tsumugi/shared/persona"
	"tsumugi/shared/queue"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/store"
)

// play lets everything of the story happen, each thing at its time, and waits until nothing is left to do.
func (w *scene) play(ctx context.Context) error {
	for _, st := range w.story.events {
		if err := w.until(ctx, st); err != nil {
			return fmt.Errorf("before %q: %w", st.line, err)
		}
		if err := w.happen(ctx, st); err != nil {
			return fmt.Errorf("%q: %w", st.line, err)
		}
	}
	return w.settle(ctx)
}

func (w *scene) settle(ctx context.Context) error {
	if !w.stage.await(time.Second, quietWithin, func() bool { return w.stage.quiet(ctx) }) {
		return fmt.Errorf("not everything is done after %s: %s", quietWithin, w.state(ctx))
	}
	return nil
}

func (w *scene) until(ctx context.Context, st step) error {
	if st.wait == forTime {
		w.stage.pass(st.after)
		return nil
	}
	if st.wait == untilQuiet {
		return w.settle(ctx)
	}
	var last simdiscord.Message
	if n := len(w.said); n > 0 {
		last = w.said[n-1]
	}
	holds := func() bool {
		switch st.wait {
		case untilAsked:
			return w.model.asked(chat.EventID(last.ID), "")
		case untilTold:
			_, err := w.store.Get(ctx, kv.Key{Space: store.SpaceChannels, Partition: last.ChannelID, Sort: "event#" + last.ID})
			return err == nil
		}
		all := w.posts()
		return len(all) > 0 && newerID(all[len(all)-1].ID, last.ID)
	}
	if !w.stage.await(100*time.Millisecond, speakWithin, holds) {
		return fmt.Errorf("it does not come to that within %s: %s", speakWithin, w.state(ctx))
	}
	return nil
}

// happen does what one line says.
func (w *scene) happen(ctx context.Context, st step) error {
	switch st.verb {
	case "say":
		return w.say(ctx, st)
	case "again":
		m, err := w.words(st.n)
		if err != nil {
			return err
		}
		return w.again(ctx, m)
	case "edit", "delete":
		return w.change(ctx, st)
	case "moderator deletes post":
		p, err := w.post(st.n)
		if err != nil {
			return err
		}
		w.deleted[p.ID] = true
		if err := w.sim.Delete(p.ChannelID, p.ID); err != nil {
			return err
		}
		return w.gone(ctx, p)
	case "channel deleted":
		for _, m := range w.sim.AllMessages(w.home) {
			m.Deleted, w.deleted[m.ID] = true, true
			w.vanished = append(w.vanished, m)
		}
		if err := w.sim.DeleteChannel(w.home); err != nil {
			return err
		}
		return w.deliver(ctx, chat.Event{What: chat.ChannelDeleted, ID: chat.EventID(w.home), Channel: chat.ChannelID(w.home), Guild: w.guild, At: time.Now()})
	case "webhook deleted", "webhooks full", "webhooks denied", "webhooks allowed", "messages managed":
		return w.hooks(st.verb)
	case "echo post":
		p, err := w.post(st.n)
		if err != nil {
			return err
		}
		e, err := w.event(p)
		if err != nil {
			return err
		}
		return w.deliver(ctx, e)
	case "respond":
		return w.responds(ctx, st)
	case "set":
		return w.sets(ctx, json.RawMessage(st.arg), nil)
	case "cast":
		var all []persona.Persona
		for _, name := range st.names {
			all = append(all, card(name))
		}
		return w.lives(ctx, all)
	}
	return w.command(ctx, st)
}

// used lets somebody use a command, or a part of an answer.
func (w *scene) used(ctx context.Context, st step) error {
	if s, ok := w.stage.(interface{ opens(context.Context) error }); ok {
		if err := s.opens(ctx); err != nil {
			return err
		}
	}
	return w.people.does(ctx, st.names[0], st.names[1], st.arg)
}

func (w *scene) command(ctx context.Context, st step) error {
	var err error
	switch st.verb {
	case "use":
		return w.used(ctx, st)
	case "redo":
		return w.redoes(ctx, st)
	case "kill": // by whom the guild belongs to
		err = w.slash(ctx, w.sim.State().Users[0], st.verb)
	case "stop":
		for _, u := range w.sim.State().Users {
			if len(st.names) > 0 && u.Name == st.names[0] {
				err = w.slash(ctx, u, st.verb)
			}
		}
	case "wait":
		w.stage.pass(st.after)
	case "fault":
		webhook := strings.HasPrefix(st.fault.Route, "/webhooks/") // such a call names no channel
		if st.fault.Channel == "" && st.fault.Kind != simdiscord.FaultOff && !webhook {
			st.fault.Channel = w.home
		}
		err = w.sim.Fault(st.fault)
	default:
		err = w.stage.befall(ctx, st)
	}
	return err
}

// slasher is a stage with an endpoint for interactions.
type slasher interface {
	// slash lets somebody use a command in the story's channel; it must be answered in time.
	slash(ctx context.Context, user, name string) error
}

// slash lets somebody use a command; without an endpoint, on the store itself.
func (w *scene) slash(ctx context.Context, u simdiscord.Named, name string) error {
	if st, ok := w.stage.(slasher); ok {
		return st.slash(ctx, u.Name, name)
	}
	var err error
	if name == "kill" {
		_, err = w.control.Kill(ctx, chat.ChannelID(w.home))
	} else {
		_, err = w.control.Stop(ctx, chat.ChannelID(w.home), "", chat.UserID(u.ID), false)
	}
	return err
}

// say lets somebody say something in the simulator, and brings the event on its way.
func (w *scene) say(ctx context.Context, st step) error {
	where := w.home
	switch st.place {
	case "":
	case "dm":
		id, err := w.sim.OpenDM(st.say.Author)
		if err != nil {
			return err
		}
		where = id
	default:
		where = w.place(st.place)
	}
	say := st.say
	if st.reply > 0 {
		p, err := w.post(st.reply)
		if err != nil {
			return err
		}
		say.ReplyTo = p.ID
	}
	if st.to > 0 {
		m, err := w.words(st.to)
		if err != nil {
			return err
		}
		say.ReplyTo = m.ID
	}
	speak := w.sim.Post
	if st.hook {
		speak = w.hook
	}
	m, err := speak(where, say)
	if err != nil {
		return err
	}
	w.mu.Lock()
	w.said = append(w.said, m)
	w.mu.Unlock()
	e, err := w.event(m)
	if err != nil {
		return err
	}
	return w.deliver(ctx, e)
}

// hook lets a webhook of the author's name say something.
func (w *scene) hook(channel string, say simdiscord.Saying) (simdiscord.Message, error) {
	var m simdiscord.Message
	h, err := w.sim.CreateWebhook(channel, say.Author, say.Author)
	if err != nil {
		return m, err
	}
	body, err := json.Marshal(map[string]string{"content": say.Content})
	if err != nil {
		return m, err
	}
	r, err := http.NewRequest(http.MethodPost, "http://127.0.0.1/api/v10/webhooks/"+h.ID+"/"+h.Token+"?wait=true", bytes.NewReader(body))
	if err != nil {
		return m, err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := w.sim.Direct().RoundTrip(r)
	if err != nil {
		return m, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return m, fmt.Errorf("a webhook speaks: status %d", answer.StatusCode)
	}
	err = json.NewDecoder(answer.Body).Decode(&m)
	return m, err
}

// raw is a message as the gateway would send it.
func (w *scene) raw(m simdiscord.Message) ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	for _, c := range w.sim.State().Channels {
		if c.ID == m.ChannelID {
			fields["guild_id"] = w.guild
		}
	}
	return json.Marshal(fields)
}

func (w *scene) event(m simdiscord.Message) (chat.Event, error) {
	raw, err := w.raw(m)
	if err != nil {
		return chat.Event{}, err
	}
	got, err := discord.Decode(raw)
	if err != nil {
		return chat.Event{}, err
	}
	discord.Claim(got, raw, w.us, w.sim.State().Application.ID)
	if got.EditedTimestamp != nil && got.Author.ID != string(w.us) {
		e, ok := discord.FromUpdate(got, w.us)
		if !ok {
			return e, fmt.Errorf("the edit changes nothing")
		}
		return e, nil
	}
	return discord.FromMessage(got, w.us), nil
}

// deliver hands an event to the relay.
func (w *scene) deliver(ctx context.Context, e chat.Event) error { return w.stage.relay(ctx, e) }

// again puts an event on the ingress queue a second time, as if the deduplication window had passed.
func (w *scene) again(ctx context.Context, m simdiscord.Message) error {
	e, err := w.event(m)
	if err != nil {
		return err
	}
	body, err := queue.Encode(e)
	if err != nil {
		return err
	}
	dedup := fmt.Sprintf("%s-again-%d", e.ID, time.Now().UnixNano())
	return w.stage.resend(ctx, queue.Message{Group: string(e.Channel), Dedup: dedup, Body: body})
}

// change edits or deletes words.
func (w *scene) change(ctx context.Context, st step) error {
	m, err := w.words(st.n)
	if err != nil {
		return err
	}
	if st.verb == "delete" {
		if err := w.sim.Delete(m.ChannelID, m.ID); err != nil {
			return err
		}
		return w.gone(ctx, m)
	}
	changed, err := w.sim.Edit(m.ChannelID, m.ID, st.say.Content)
	if err != nil {
		return err
	}
	e, err := w.event(changed)
	if err != nil {
		return err
	}
	return w.deliver(ctx, e)
}

// gone brings the deletion of a message on its way.
func (w *scene) gone(ctx context.Context, m simdiscord.Message) error {
	guild := w.guild
	if strings.HasPrefix(w.placeOf(m), "dm") {
		guild = ""
	}
	e, ok := discord.FromDelete(m.ID, m.ChannelID, guild)
	if !ok {
		return fmt.Errorf("the deletion names no message")
	}
	return w.deliver(ctx, e)
}

func (w *scene) placeOf(m simdiscord.Message) string {
	for _, d := range w.sim.State().DMs {
		if d.ID == m.ChannelID {
			return "dm"
		}
	}
	return "guild"
}

// post is the n-th post of the bot, deleted ones counted.
func (w *scene) post(n int) (simdiscord.Message, error) {
	all := w.posts()
	if n < 1 || n > len(all) {
		return simdiscord.Message{}, fmt.Errorf("there is no post %d of the bot", n)
	}
	return all[n-1], nil
}
