package discord_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
)

// ledger counts what is told, on top of what other processes have.
type ledger struct {
	mu     sync.Mutex
	others int
	ours   int
	calls  int
}

func (l *ledger) Invalid(_ context.Context, n int) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls++
	l.ours += n
	return l.others + l.ours, nil
}

// What Discord holds against an address is counted over all processes: when others have had many requests refused, whoever has
// one refused too waits with what can wait, and at twice as many with everything.
func TestInvalidRequestsAreCountedTogether(t *testing.T) {
	for name, c := range map[string]struct {
		others int
		edit   bool // one that may be skipped would have to wait
		create bool // goes
	}{
		"few":      {100, false, true},
		"many":     {2600, true, true},
		"too many": {5100, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net, count := &forbidding{}, &ledger{others: c.others}
				client := discord.New(discord.Options{Token: "t", HTTPClient: &http.Client{Transport: net}, Invalids: count})
				create := func(channel chat.ChannelID) error {
					_, err := client.Create(t.Context(), chat.Post{Channel: channel, Content: "hello", Nonce: "n"})
					return err
				}
				if net.allow = true; create("1477636521984000001") != nil || count.calls > 0 {
					t.Fatalf("a call that is fine is counted: %d", count.calls)
				}
				net.allow = false
				for _, channel := range []chat.ChannelID{"1477636521984000002", "1477636521984000003", "1477636521984000004"} {
					_ = create(channel)
				}
				if count.calls != 1 {
					t.Errorf("told %d times within a second", count.calls)
				}
				net.allow = true
				if wait := client.EditWait(chat.Ref{Channel: "1477636521984000001", Message: "1477636521984000005"}); wait > 0 != c.edit {
					t.Errorf("an edit that may be skipped waits %v", wait)
				}
				if err := client.Typing(t.Context(), "1477636521984000001"); err != nil != c.edit {
					t.Errorf("the typing sign: %v", err)
				}
				if err := create("1477636521984000001"); err == nil != c.create {
					t.Errorf("a create: %v", err)
				}
				count.others = 0 // it is over
				time.Sleep(time.Minute)
				if err := create("1477636521984000001"); err != nil || client.EditWait(chat.Ref{Channel: "1477636521984000001", Message: "1477636521984000005"}) > 0 {
					t.Errorf("when it is over: %v", err)
				}
			})
		})
	}
}
