package store_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

func TestHooksAreKeptUnderTheirRevision(t *testing.T) {
	atDesk(t, func(d *desk) {
		h := guild.Hook{Parent: place, ID: "7", Token: guild.Sealed("sealed")}
		d.ok(d.SaveHook(d.ctx(), place, h))
		if err := d.SaveHook(d.ctx(), place, h); !errors.Is(err, chat.ErrRaced) {
			t.Errorf("the second of two that knew nothing: %v", err)
		}
		h.Rev = 1
		got := must(d.Hooks(d.ctx(), place, "2"))(d)
		if want := map[chat.ChannelID]guild.Hook{place: h}; !reflect.DeepEqual(got, want) {
			t.Errorf("kept is %+v", got)
		}
		trouble := guild.Hook{Parent: place, Trouble: 30007, Since: time.Now().Truncate(time.Millisecond), Rev: 1}
		d.ok(d.SaveHook(d.ctx(), place, trouble))
		trouble.Rev = 2
		if got := must(d.Hooks(d.ctx(), place))(d)[place]; !got.Since.Equal(trouble.Since) || got.Token != nil || got.Trouble != 30007 || got.ID != "" {
			t.Errorf("kept is %+v", got)
		}
	})
}

func TestWhyThereIsNoFaceIsToldOnceADay(t *testing.T) {
	atDesk(t, func(d *desk) {
		tell := func(e chat.Event) bool { return must(d.TellHook(d.ctx(), &chat.Hold{Channel: place, Event: e}))(d) }
		first, second := d.event(1, ann), d.event(2, ben)
		if !tell(first) || tell(second) || !tell(first) {
			t.Error("it is not told by the first alone, however often that asks")
		}
		if got := must(d.Hooks(d.ctx(), place))(d); len(got) > 0 {
			t.Errorf("something is known of the webhook: %+v", got)
		}
		d.ok(d.SaveHook(d.ctx(), place, guild.Hook{Parent: place, Trouble: 50013}))
		d.pass(chat.TellHookEvery - time.Minute)
		if tell(second) {
			t.Error("it is told twice in a day")
		}
		d.pass(time.Minute)
		if !tell(second) || tell(first) {
			t.Error("the next day is not the second's")
		}
	})
}

func TestAPartKnowsItsFace(t *testing.T) {
	atDesk(t, func(d *desk) {
		h := d.speaking(d.event(1, ann))
		now := time.Now().Truncate(time.Millisecond)
		d.ok(d.Intend(d.ctx(), h, 0, chat.Intent{Content: "one", Nonce: "n1", Face: true, At: now, Tried: now}, nil))
		if st := must(d.State(d.ctx(), h))(d); !st.Parts[0].Intent.Face {
			t.Error("an intent forgets its face")
		}
		d.ok(d.Record(d.ctx(), h, 0, chat.Ref{Message: "555", Hook: "7"}))
		must(d.SaveText(d.ctx(), h, "decided", answered))(d)
		must(d.EndTurn(d.ctx(), h, answered))(d)
		if owners := must(d.Whose(d.ctx(), place, []chat.MessageID{"555"}))(d); owners["555"].Hook != "7" {
			t.Errorf("recorded is %+v", owners)
		}
	})
}
