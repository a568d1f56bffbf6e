package command

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// What people do with a reply that is there: by the buttons below it, where the server has them, or in the menu of any of its
// messages. Both lead to an event for its channel, as /respond does, so that it is worked on in order and once.

// replyRow leads from the buttons to what they do. It is no command: its steps are all it has.
func replyRow() *row {
	shared := func(now func(*Front, context.Context, *use) (chat.Answer, error)) work {
		return work{now: now, open: true}
	}
	return &row{path: chat.ReplyPath, dms: true, steps: map[string]work{
		string(chat.StopSpeaking): shared((*Front).replyStop),
		string(chat.Regenerate):   shared((*Front).replyAgain),
		string(chat.Continue):     shared((*Front).replyContinue),
		string(chat.RemoveReply):  shared((*Front).replyDelete),
		string(chat.ShowVariant):  shared((*Front).replyShow),
	}}
}

// menuRows are the commands in the menu of a message, of which Discord takes five.
func menuRows() []row {
	return []row{
		{path: "reply regenerate", dms: true, work: work{now: (*Front).replyAgain}},
		{path: "reply continue", dms: true, work: work{now: (*Front).replyContinue}},
		{path: "reply previous", dms: true, work: work{now: (*Front).replyPrevious}},
		{path: "reply next", dms: true, work: work{now: (*Front).replyNext}},
		{path: "reply delete", dms: true, work: work{now: (*Front).replyDelete}},
	}
}

// inMenu finds the command of a menu by the name that is registered.
func inMenu(name string) *row {
	rows := menuRows()
	for n := range rows {
		if first, _ := described(rows[n].key("name")); first == name {
			return &rows[n]
		}
	}
	return nil
}

// menuSpecs are the commands in the menu of a message, as they are registered.
func menuSpecs() []chat.CommandSpec {
	var specs []chat.CommandSpec
	for _, r := range menuRows() {
		name, local := described(r.key("name"))
		specs = append(specs, chat.CommandSpec{OfMessages: true, Name: name, Names: local, Needs: r.needs, DMs: r.dms})
	}
	return specs
}

func (f *Front) replyAgain(ctx context.Context, u *use) (chat.Answer, error) {
	return f.redo(ctx, u, chat.Regenerate, nil)
}

func (f *Front) replyContinue(ctx context.Context, u *use) (chat.Answer, error) {
	return f.redo(ctx, u, chat.Continue, nil)
}

func (f *Front) replyDelete(ctx context.Context, u *use) (chat.Answer, error) {
	return f.redo(ctx, u, chat.RemoveReply, nil)
}

func (f *Front) replyShow(ctx context.Context, u *use) (chat.Answer, error) {
	n, err := strconv.Atoi(u.arg(2))
	if err != nil {
		return u.text("refused.stale"), nil
	}
	return f.redo(ctx, u, chat.ShowVariant, func(chat.Reply) int { return n })
}

func (f *Front) replyPrevious(ctx context.Context, u *use) (chat.Answer, error) {
	return f.redo(ctx, u, chat.ShowVariant, func(r chat.Reply) int {
		_, before, _ := r.Place()
		return cmp.Or(before, r.Variants[len(r.Variants)-1].N)
	})
}

func (f *Front) replyNext(ctx context.Context, u *use) (chat.Answer, error) {
	return f.redo(ctx, u, chat.ShowVariant, func(r chat.Reply) int {
		_, _, after := r.Place()
		return cmp.Or(after, r.Variants[0].N)
	})
}

// replyStop ends the reply that is being spoken above the button, for whoever might use /stop.
func (f *Front) replyStop(ctx context.Context, u *use) (chat.Answer, error) {
	e := chat.EventID(u.arg(0))
	if e == "" {
		return u.text("refused.stale"), nil
	}
	asked, err := f.Controls.Stop(ctx, u.Channel, e, u.User, u.moderates())
	switch {
	case err != nil:
		return chat.Answer{}, err
	case asked:
		return chat.Answer{Deferred: true, Update: true}, nil // it is seen to stop
	case u.moderates():
		return u.text("reply.ended"), nil
	}
	return u.text("reply.ended_or_not_yours"), nil
}

// redo asks for something to be done with the reply of a message. pick is the variant to show, of a reply that has more than one.
func (f *Front) redo(ctx context.Context, u *use, what chat.Doing, pick func(chat.Reply) int) (chat.Answer, error) {
	r, err := f.Replies.ReplyOf(ctx, u.Channel, cmp.Or(u.Target, u.Message))
	if errors.Is(err, chat.ErrMissing) {
		return u.text("reply.unknown"), nil
	}
	if err != nil {
		return chat.Answer{}, err
	}
	if u.step != "" && (u.arg(0) != string(r.Event) || u.arg(1) != strconv.Itoa(r.Turn)) {
		return u.text("refused.stale"), nil
	}
	may, err := f.mayChange(ctx, u, r)
	if err != nil {
		return chat.Answer{}, err
	}
	if !may {
		return u.text("reply.not_yours", "permission", nameOf(chat.ManageMessages)), nil
	}
	redo := chat.Redo{What: what, Event: r.Event, Turn: r.Turn, From: r.Current, Name: r.Name, Label: r.Label}
	key := impossible(r, what, pick != nil)
	if key == "" && pick != nil {
		if redo.Variant = pick(r); r.Variant(redo.Variant) == nil {
			key = "reply.variant_gone"
		}
	}
	if key != "" {
		return u.text(key), nil
	}
	if what.AsksModel() {
		if err := f.hindered(ctx, u, r); err != nil {
			why, told := u.reason(err)
			if !told {
				return chat.Answer{}, err
			}
			return chat.Answer{Text: why}, nil // beside the message of the button, which is everybody's
		}
	}
	if err := f.enter(ctx, u.event(chat.Asked{Persona: r.Persona, Redo: &redo})); err != nil {
		return chat.Answer{}, err
	}
	if u.step != "" {
		return chat.Answer{Deferred: true, Update: true}, nil // the message itself will change
	}
	return u.text("reply.done." + string(what)), nil
}

// mayChange tells whether it is this person's to change the reply: it answers them, or they look after the channel's messages, by
// permission or by a role of those who may set me up.
func (f *Front) mayChange(ctx context.Context, u *use, r chat.Reply) (bool, error) {
	if r.Asker == u.User {
		return true, nil
	}
	keeper := *u
	keeper.row = &row{path: chat.ReplyPath, needs: chat.ManageMessages}
	key, err := refusal(ctx, f.Book, &keeper)
	return key == "", err
}

// impossible is the key of why nothing can be done with the reply as it stands; "" when it can.
func impossible(r chat.Reply, what chat.Doing, picks bool) string {
	switch {
	case r.Speaking:
		return "reply.speaking"
	case r.Coming:
		return "reply.coming"
	case r.Deleted:
		return "reply.deleted"
	case picks && len(r.Variants) < 2:
		return "reply.only_one"
	case what == chat.Continue && (r.Shown() == nil || utf8.RuneCountInString(r.Shown().Text) >= guild.MaxReply):
		return "reply.full"
	}
	return ""
}

// hindered tells why the persona cannot speak here again for this person; nil when it can.
func (f *Front) hindered(ctx context.Context, u *use, r chat.Reply) error {
	people, s, err := u.cast(ctx, f.Book)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(people, func(p persona.Persona) bool { return p.ID == r.Persona }) {
		return no("reply.left", "name", shown(r.Name, maxShown))
	}
	return u.hindered(s)
}
