package command_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tsumugi/shared/command"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/llm"
	"tsumugi/shared/store"
)

// servers is a Prober of one model server that knows keys and models.
type servers struct {
	keys   []string
	models []string // the first answers where none is named
	fails  error    // of every probe
	took   time.Duration
	during func() // happens while it is asked
	asked  []string
}

func (s *servers) Probe(_ context.Context, address, key, model string) (command.Probed, error) {
	s.asked = append(s.asked, address+" "+model)
	if s.during != nil {
		s.during()
	}
	found := command.Probed{Models: slices.Clone(s.models), Took: s.took}
	switch {
	case s.fails != nil:
		return found, s.fails
	case !slices.Contains(s.keys, key):
		return command.Probed{}, &llm.Error{Kind: llm.Unauthorized, Status: 401}
	case model == "" && len(s.models) == 0:
		return found, &llm.Error{Kind: llm.NotFound, Err: errors.New("name one")}
	case model != "" && !slices.Contains(s.models, model) && !strings.HasPrefix(model, "unlisted"):
		return found, &llm.Error{Kind: llm.NotFound, Status: 404}
	}
	if found.Model = model; model == "" {
		found.Model = s.models[0]
	}
	return found, nil
}

// locks is a Sealer that shows what it was asked for, and only that.
type locks struct {
	mu     sync.Mutex
	sealed map[string]string // what was sealed, by what it is sealed to
	broken bool
}

func (l *locks) Seal(_ context.Context, in guild.Context, secret string) (guild.Sealed, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sealed == nil {
		l.sealed = map[string]string{}
	}
	s := fmt.Sprintf("sealed %d", len(l.sealed))
	l.sealed[s+fmt.Sprint(in)] = secret
	return guild.Sealed(s), nil
}

func (l *locks) Open(_ context.Context, in guild.Context, s guild.Sealed) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	secret, ok := l.sealed[string(s)+fmt.Sprint(in)]
	if !ok || l.broken {
		return "", guild.ErrUnsealable
	}
	return secret, nil
}

// shop is a house whose server has a model server to turn to.
type shop struct {
	*house
	at    *servers
	locks *locks
	log   strings.Builder
}

const goodKey = "sk-canary-0123456789-wxyz"

func newShop(t *testing.T) *shop {
	s := &shop{house: newHouse(t), at: &servers{keys: []string{goodKey}, models: []string{"small", "large"}, took: 800 * time.Millisecond}, locks: &locks{}}
	s.front.Sealer, s.back.Sealer, s.back.Prober = s.locks, s.locks, s.at
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() {
		slog.SetDefault(before)
		s.keepsSecret(goodKey)
	})
	return s
}

// keepsSecret fails when the secret, or a piece of it, stands in the clear anywhere but in the sealer: what is stored, queued,
// logged and said.
func (s *shop) keepsSecret(secret string) {
	s.t.Helper()
	var stored []kv.Item
	for _, partition := range []string{"guild#1", "installation"} {
		page, err := s.book.driver.Query(context.WithoutCancel(s.t.Context()), kv.Query{Space: store.SpaceMemory, Partition: partition, Limit: 1000})
		if err != nil || page.Next != "" {
			s.t.Fatalf("what is stored cannot be read: %v", err)
		}
		stored = append(stored, page.Items...)
	}
	for what, v := range map[string]any{"store": stored, "queue": s.queue.kept, "later answers": s.says, "first answers": s.first, "log": s.log.String()} {
		if strings.Contains(fmt.Sprintf("%+q", v), secret[3:20]) {
			s.t.Errorf("the key stands in the clear: %s", what)
		}
	}
}

// server is what the server "1" has set.
func (s *shop) server() guild.Settings { return s.book.is("1") }

// changes are those that people made, the newest first.
func (s *shop) changes() (list []guild.Change) {
	for _, c := range s.book.noted("1") {
		if c.What != "" { // the test itself
			list = append(list, c)
		}
	}
	return list
}

func failing(kind llm.Kind, status int, code string) error {
	return &llm.Error{Kind: kind, Status: status, Code: code}
}
