package discord_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
)

// amending is an interaction whose token must be seen by nobody.
func amending() chat.Interaction {
	return chat.Interaction{ID: "1477636523032576000", Application: "9", Token: "sEcReT"}
}

// scripted answers one status after the other; the last stays.
func scripted(t *testing.T, statuses ...int) (*discord.Client, *int) {
	calls := new(int)
	return discord.New(discord.Options{Token: "bot", BaseURL: "http://localhost", HTTPClient: &http.Client{Transport: inside(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != `{"content":"done","allowed_mentions":{"parse":[],"replied_user":false},"components":[],"attachments":[]}` {
			t.Errorf("%v: sent %s", err, body)
		}
		if r.Method != http.MethodPatch || r.URL.Path != "/webhooks/9/sEcReT/messages/@original" || r.Header.Get("Authorization") != "" {
			t.Errorf("%s %s, with the bot's token: %t", r.Method, r.URL.Path, r.Header.Get("Authorization") != "")
		}
		status := statuses[min(*calls, len(statuses)-1)]
		*calls++
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, map[int]string{200: `{}`, 404: `{"code":10015,"message":"Unknown Webhook"}`, 401: `{"code":50027,"message":"Invalid Webhook Token"}`,
			500: `{}`, 429: `{"retry_after":30,"message":"limited"}`, 400: `{"code":50035,"message":"Invalid Form Body"}`}[status])
	})}}), calls
}

func TestAmendWaitsForDiscordToKnowTheAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		statuses []int
		kind     chat.FailureKind
		calls    int // 0: several
		within   [2]time.Duration
	}{
		"at once":              {[]int{200}, "", 1, [2]time.Duration{0, 0}},
		"after two refusals":   {[]int{404, 404, 200}, "", 3, [2]time.Duration{500 * time.Millisecond, 1500 * time.Millisecond}},
		"never":                {[]int{404}, chat.Vanished, 0, [2]time.Duration{10 * time.Second, 11 * time.Second}},
		"the token is too old": {[]int{401}, chat.Vanished, 1, [2]time.Duration{0, 0}},
		"not in shape":         {[]int{400}, chat.Rejected, 1, [2]time.Duration{0, 0}},
		"Discord is ill":       {[]int{500}, chat.Unknown, 1, [2]time.Duration{0, 0}},
		"limited":              {[]int{429}, chat.Throttled, 1, [2]time.Duration{0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, calls := scripted(t, c.statuses...)
				began := time.Now()
				err := client.Amend(t.Context(), amending(), chat.Answer{Text: "done"})
				if d := time.Since(began); chat.FailureOf(err) != c.kind || d < c.within[0] || d > c.within[1] {
					t.Errorf("%v after %v", err, d)
				}
				if c.calls != 0 && *calls != c.calls || c.calls == 0 && (*calls < 10 || *calls > 45) {
					t.Errorf("%d calls", *calls)
				}
				if err != nil && strings.Contains(err.Error(), amending().Token) {
					t.Errorf("the error tells the token: %v", err)
				}
			})
		})
	}
}

func TestAmendEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scripted(t, 404)
		ctx, done := context.WithTimeoutCause(t.Context(), 3*time.Second, chat.ErrHandOver)
		defer done()
		err := client.Amend(ctx, amending(), chat.Answer{Text: "done"})
		if chat.FailureOf(err) != chat.Throttled || !errors.Is(err, chat.ErrHandOver) {
			t.Errorf("got %v: the next delivery has to try again", err)
		}
	})
}

func TestAmendTellsNobodyTheToken(t *testing.T) {
	client := discord.New(discord.Options{BaseURL: "http://localhost", HTTPClient: &http.Client{Transport: broken{}}})
	if err := client.Amend(t.Context(), amending(), chat.Answer{Text: "done"}); err == nil || strings.Contains(err.Error(), amending().Token) {
		t.Errorf("got %v", err)
	}
	odd := amending()
	odd.Token = "a/../b"
	if err := client.Amend(t.Context(), odd, chat.Answer{Text: "done"}); chat.FailureOf(err) != chat.Rejected || strings.Contains(err.Error(), odd.Token) {
		t.Errorf("got %v", err)
	}
}

// broken is a connection that fails.
type broken struct{}

func (broken) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("connection reset")
}
