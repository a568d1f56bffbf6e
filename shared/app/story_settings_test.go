package app_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/store"
)

// settings are what is set in the story's guild, line by line, without what differs from run to run: times and ids that the
// house made up. Of a persona there is a line with its name and whatever it has, of a provider too; the changes are one line, in
// their order, each by whom and what it was about.
func (w *scene) settings(ctx context.Context) ([]string, error) {
	book := store.NewBook(w.store)
	s, err := book.Settings(ctx, w.guild)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	var set []string
	for _, p := range s.Personas {
		names[p.ID] = p.Name
		p.ID = ""
		set = append(set, "persona "+named(p.Name, p))
	}
	for _, p := range s.Providers {
		set = append(set, fmt.Sprintf("provider %s: %s %s model %s key %t ends %q", p.Name, p.Kind, p.URL, p.Model, len(p.Key) > 0, p.Last4))
	}
	s.Personas, s.Providers = nil, nil
	set = append(set, flat("", s)...)
	for _, c := range w.channels() {
		channel, err := book.Channel(ctx, w.guild, chat.ChannelID(c))
		if err != nil {
			return nil, err
		}
		if channel.Host != "" {
			channel.Host = cmp.Or(names[channel.Host], channel.Host)
		}
		set = append(set, flat("channel "+w.called(c)+" ", channel)...)
	}
	changes, err := w.changes(ctx, book)
	return append(set, "changes: "+cmp.Or(strings.Join(changes, "; "), "none")), err
}

// changes are the notes of the guild, the oldest first.
func (w *scene) changes(ctx context.Context, book *store.Book) (all []string, err error) {
	for after := ""; ; {
		list, next, err := book.Changes(ctx, w.guild, after, 25)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if c.By == "" {
				continue // the scene's own
			}
			line := w.user(c.By) + " " + c.What
			if c.On != "" {
				line += " " + c.On
			}
			all = append(all, line)
		}
		if after = next; next == "" {
			slices.Reverse(all)
			return all, nil
		}
	}
}

func (w *scene) user(id chat.UserID) string {
	for _, u := range w.sim.State().Users {
		if u.ID == string(id) {
			return u.Name
		}
	}
	return string(id)
}

// called is a channel's name in stories.
func (w *scene) called(channel string) string {
	switch channel {
	case w.lounge:
		return "lounge"
	case w.hall:
		return "hall"
	}
	return channel
}

// named is a value as one line without its name.
func named(name string, v any) string {
	return name + ": " + strings.Join(flat("", v), " · ")
}

// flat is a value as lines "field: value", in the order of the fields.
func flat(prefix string, v any) (out []string) {
	body, err := json.Marshal(v)
	if err != nil {
		return []string{err.Error()}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return []string{err.Error()}
	}
	for name, raw := range fields {
		if name == "id" || name == "name" || bytes.Equal(raw, []byte(`""`)) {
			continue
		}
		out = append(out, prefix+name+": "+strings.Trim(string(raw), `"`))
	}
	slices.Sort(out)
	return out
}

// unset tells which wanted lines nothing that is set fits; {*} stands for anything. The wanted changes are all of them.
func unset(want, got []string) (missing []string) {
	for _, line := range want {
		if !slices.ContainsFunc(got, func(g string) bool { return samePosts([]string{line}, []string{g}) }) {
			missing = append(missing, line)
		}
	}
	return missing
}
