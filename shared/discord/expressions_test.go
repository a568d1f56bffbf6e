package discord_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	simdiscord "tsumugi/shared/sim/discord"
)

func TestExpressionsAreReadOnceInAWhile(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		guild := w.State().Guild.ID
		for range 3 {
			e, err := w.client.Expressions(t.Context(), guild)
			if err != nil || len(e.Emoji) != 1 || len(e.Stickers) != 1 {
				t.Fatalf("%+v, %v", e, err)
			}
			if m := e.Emoji[0]; m.Name != "kettle" || !strings.HasPrefix(m.Markup, "<:kettle:") {
				t.Errorf("emoji %+v", m)
			}
			if s, ok := e.Sticker("STEAM"); !ok || !strings.HasSuffix(s.URL, s.ID+".png?size=160") {
				t.Errorf("sticker %+v", s)
			}
		}
		if n := w.count("GET"); n != 1 {
			t.Errorf("%d reads", n)
		}
		time.Sleep(chat.ExpressionsLife)
		synctest.Wait()
		if _, err := w.client.Expressions(t.Context(), guild); err != nil || w.count("GET") != 2 {
			t.Errorf("%d reads, %v", w.count("GET"), err)
		}
	})
}

func TestExpressionsThatTheBotMayUse(t *testing.T) {
	c := answering(t, 200, nil, `{"emojis":[{"id":"11","name":"a_wave","animated":true,"available":true,"roles":[]},{"id":"12","name":"vip","roles":["9"]},
		{"id":"13","name":"lost","available":false,"roles":[]},{"id":"x","name":"wrong","roles":[]},{"id":"14","name":"no:colon","roles":[]}],
		"stickers":[{"id":"21","name":"drawn","format_type":3,"available":true},{"id":"22","name":"gone","format_type":1,"available":false},{"id":"23","name":"moves","format_type":4}]}`)
	e, err := c.Expressions(t.Context(), "7")
	if err != nil || len(e.Emoji) != 1 || e.Emoji[0] != (chat.Emoji{Name: "a_wave", Markup: "<a:a_wave:11>"}) {
		t.Errorf("%+v, %v", e.Emoji, err)
	}
	if len(e.Stickers) != 2 || e.Stickers[0].URL != "" || !strings.HasSuffix(e.Stickers[1].URL, "/23.gif?size=160") {
		t.Errorf("%+v", e.Stickers)
	}
}

// A server that may not be read is not asked at every turn.
func TestExpressionsOfAServerThatMayNotBeRead(t *testing.T) {
	c := answering(t, http.StatusForbidden, nil, `{"code":50001,"message":"Missing Access"}`)
	for range 2 {
		if _, err := c.Expressions(t.Context(), "7"); chat.FailureOf(err) != chat.Rejected {
			t.Error(err)
		}
	}
	if _, err := c.Expressions(t.Context(), "../users/@me"); chat.FailureOf(err) != chat.Rejected {
		t.Error(err)
	}
}

func TestCreateWithASticker(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		e, err := w.client.Expressions(t.Context(), w.State().Guild.ID)
		if err != nil {
			t.Fatal(err)
		}
		m, err := w.client.Create(t.Context(), chat.Post{Channel: w.lounge, Sticker: e.Stickers[0].ID, Nonce: "s"})
		got, err2 := w.client.Before(t.Context(), w.lounge, "", 1)
		if err != nil || err2 != nil || len(got) != 1 || got[0].ID != m.Message || got[0].Text != "" || got[0].Extras != "[sticker: steam]" {
			t.Errorf("%+v, %v, %v", got, err, err2)
		}
	})
}
