package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
)

const (
	idDigits    = 20  // of the largest snowflake
	lineLength  = 200 // characters of a text in the notes
	changeTries = 3   // of a change whose outcome is unknown: whoever made it may not be called again
)

// auditKey sorts by time, as snowflakes do.
func auditKey(g string, id chat.EventID) (kv.Key, error) {
	digits := string(id)
	if digits == "" || len(digits) > idDigits || strings.Trim(digits, "0123456789") != "" {
		return kv.Key{}, chat.Drop(fmt.Errorf("change settings for %q: it is no interaction", digits))
	}
	return bookKey(g, "audit#"+strings.Repeat("0", idDigits-len(digits))+digits), nil
}

// Change edits what is set under the condition that it is still as it was read, with its entry in the notes. An entry that
// is there already is the change itself: made by an earlier call, or by this one, whose reply was lost.
func (b *Book) Change(ctx context.Context, g string, c chat.ChannelID, note guild.Change, edit guild.Edit) (guild.Change, error) {
	audit, err := auditKey(g, note.ID)
	if err != nil {
		return guild.Change{}, err
	}
	e := editing{b: b, guild: g, channel: c, audit: audit, note: note, edit: edit}
	err = contend(ctx, b.kv, func() ([]kv.Op, error) { return e.ops(ctx) })
	for try := 0; e.unknown(err) && try < changeTries && pause(ctx, try) == nil; try++ {
		err = contend(ctx, b.kv, func() ([]kv.Op, error) { return e.ops(ctx) })
	}
	if err != nil {
		return guild.Change{}, fmt.Errorf("change the settings of guild %s for %s: %w", g, note.ID, err)
	}
	return e.done, nil
}

// editing is one call of Change.
type editing struct {
	b       *Book
	guild   string
	channel chat.ChannelID
	audit   kv.Key
	note    guild.Change
	edit    guild.Edit

	done    guild.Change
	refused bool // by the edit or by what is allowed: it would be again
}

// unknown tells whether an error leaves open what became of the change.
func (e *editing) unknown(err error) bool {
	return err != nil && !e.refused && !errors.Is(err, chat.ErrRaced) && !kv.Retryable(err)
}

func (e *editing) ops(ctx context.Context) ([]kv.Op, error) {
	settings, channel := settingsKey(e.guild), placeKey(e.guild, e.channel)
	keys := []kv.Key{settings, e.audit}
	if e.channel != "" {
		keys = append(keys, channel)
	}
	got, err := e.b.read(ctx, keys...)
	if err != nil {
		return nil, err
	}
	if made, err := e.made(got); made || err != nil {
		return nil, err
	}
	var s guild.Settings
	if e.guild == "" {
		s, err = e.b.installation(ctx, got[settings])
	} else {
		s, err = optional[guild.Settings](got[settings], "settings")
	}
	if err != nil {
		return nil, err
	}
	set, err := optional[guild.Channel](got[channel], "channel")
	if err != nil {
		return nil, err
	}
	were := s
	were.Personas, were.Providers = append(were.Personas[:0:0], s.Personas...), append(were.Providers[:0:0], s.Providers...)
	if err := e.edited(&s, &set); err != nil {
		return nil, e.refuse(ctx, err)
	}
	ops, err := e.changed(nil, got[settings], settings, "settings", s)
	if err == nil && e.channel != "" {
		ops, err = e.changed(ops, got[channel], channel, "channel", set)
	}
	if err != nil {
		return nil, e.refuse(ctx, err)
	}
	body, err := encode(e.done)
	ops = append(ops, kv.Op{Verb: kv.Put, Key: e.audit, Attrs: kv.Attrs{"change": body, kv.TTL: expires(guild.ChangeLife)},
		If: []kv.Cond{kv.Missing("")}})
	return append(ops, orphans(e.guild, were, s)...), err
}

// made tells whether the notes have the change already.
func (e *editing) made(got map[kv.Key]kv.Item) (ok bool, err error) {
	item, ok := got[e.audit]
	if ok {
		e.done, err = decode[guild.Change](item, "change")
	}
	return ok, err
}

// refuse ends the matter with the refusal of an edit, unless that saw its own change: one read of several items is no moment, so an
// entry that was not there yet may belong to settings that were there already.
func (e *editing) refuse(ctx context.Context, refusal error) error {
	got, err := e.b.read(ctx, e.audit)
	if err != nil {
		return err
	}
	made, err := e.made(got)
	if e.refused = !made; e.refused {
		return refusal
	}
	return err
}

// edited lets the edit work and looks at what it did.
func (e *editing) edited(s *guild.Settings, set *guild.Channel) error {
	note := e.note
	if err := e.edit(s, set, &note); err != nil {
		return err
	}
	if s.Forget(); e.channel == "" {
		*set = guild.Channel{}
	}
	if e.guild != "" && !s.Own && len(s.Personas) > 0 {
		return fmt.Errorf("%w: personas are set, but they are not the guild's own", guild.ErrInvalid)
	}
	if err := errors.Join(s.Validate(), set.Validate()); err != nil {
		return err
	}
	e.done = noted(note, e.note, e.channel)
	return nil
}

// noted is the entry: who, when and for which interaction are the caller's, whatever the edit did.
func noted(n, asked guild.Change, c chat.ChannelID) guild.Change {
	n.ID, n.By, n.At = asked.ID, asked.By, asked.At
	if n.At.IsZero() {
		n.At = time.Now()
	}
	n.At = n.At.UTC().Truncate(time.Millisecond) // read again it is the same
	if n.In == "" {
		n.In = c
	}
	n.What, n.On, n.Was, n.Is = line(n.What), line(n.On), line(n.Was), line(n.Is)
	return n
}

// line makes a text fit for one line of the notes.
func line(s string) string {
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "")
	if r := []rune(s); len(r) > lineLength {
		return string(r[:lineLength-1]) + "…"
	}
	return s
}

// changed writes what an edit made of an item; one that it left alone must still be as the edit saw it.
func (e *editing) changed(ops []kv.Op, item kv.Item, k kv.Key, attr string, v any) ([]kv.Op, error) {
	body, err := encode(v)
	if err != nil {
		return nil, err
	}
	if len(body) > guild.MaxSettings {
		return nil, guild.ErrTooMuch
	}
	before := item.Bytes(attr)
	if before == nil {
		before = []byte("{}")
	}
	op := kv.Op{Verb: kv.Check, Key: k, If: []kv.Cond{as(item, "rev")}}
	if !bytes.Equal(body, before) {
		op.Verb, op.Attrs = kv.Put, kv.Attrs{attr: body, "rev": item.Int("rev") + 1}
	}
	return append(ops, op), nil
}

// orphans are removed with what they belong to.
func orphans(g string, were, are guild.Settings) (ops []kv.Op) {
	for _, p := range were.Personas {
		if _, ok := are.Persona(p.ID); !ok {
			ops = append(ops, kv.Op{Verb: kv.Delete, Key: faceKey(g, p.ID)})
		}
	}
	for _, p := range were.Providers {
		if are.ProviderNamed(p.Name) == nil {
			ops = append(ops, kv.Op{Verb: kv.Delete, Key: modelsKey(g, p.Name)})
		}
	}
	return ops
}
