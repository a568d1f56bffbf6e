package discord_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
)

// forbidding is a network on which Discord forbids everything, until it is told to allow it.
type forbidding struct {
	calls int
	allow bool
}

func (f *forbidding) RoundTrip(r *http.Request) (*http.Response, error) {
	f.calls++
	status, body := http.StatusForbidden, `{"code":50013,"message":"Missing Permissions"}`
	if f.allow {
		status, body = http.StatusOK, `{"id":"1477636521984000001"}`
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// People who keep calling the bot in a channel that it may not write to must not cost it Discord's patience.
func TestAForbiddenChannelIsLeftAloneForAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := &forbidding{}
		c := discord.New(discord.Options{Token: "t", HTTPClient: &http.Client{Transport: net}})
		post := func(channel chat.ChannelID) error {
			_, err := c.Create(t.Context(), chat.Post{Channel: channel, Content: "hello", Nonce: "n"})
			return err
		}
		for range 50 {
			var f *chat.Failure
			if err := post("1477636521984000009"); !errors.As(err, &f) || f.Kind != chat.Rejected || f.Code != 50013 {
				t.Fatalf("got %v", err)
			}
			if chat.FailureOf(c.Typing(t.Context(), "1477636521984000009")) != chat.Rejected {
				t.Fatal("it types where it may not write")
			}
		}
		if net.calls != 1 {
			t.Errorf("%d calls, want 1", net.calls)
		}
		net.allow = true
		if err := post("1477636521984000010"); err != nil {
			t.Errorf("another channel: %v", err)
		}
		time.Sleep(time.Minute + time.Second)
		if err := post("1477636521984000009"); err != nil {
			t.Errorf("after a minute: %v", err)
		}
	})
}
