package app_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	kvsqlite "tsumugi/shared/kv/sqlite"
	queuesqlite "tsumugi/shared/queue/sqlite"
)

// corpus loads the stories, with those of the directory in STORIES_DIR, which may be named from here or from the top of the
// repository.
func corpus(t *testing.T) []*story {
	t.Helper()
	dirs := []string{filepath.Join("testdata", "stories")}
	if more := os.Getenv("STORIES_DIR"); more != "" {
		if _, err := os.Stat(more); err != nil && !filepath.IsAbs(more) {
			more = filepath.Join("..", "..", more)
		}
		dirs = append(dirs, more)
	}
	all, err := loadStories(dirs...)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 24 {
		t.Fatalf("the corpus has %d stories only", len(all))
	}
	return all
}

// hush keeps the log of thousands of runs out of the test's output; STORIES_LOG=1 shows it.
func hush(t *testing.T) {
	if os.Getenv("STORIES_LOG") != "" {
		return
	}
	old := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(old) })
}

// run plays a story once in a bubble.
func run(t *testing.T, s *story, with conditions) (*end, error) {
	t.Helper()
	var got *end
	var failed error
	synctest.Test(t, func(t *testing.T) {
		if with.open != nil {
			e, closed, err := with.open(t)
			if err != nil {
				failed = err
				return
			}
			defer closed()
			with.engines = e
		}
		got, failed = played(t.Context(), s, with)
	})
	return got, failed
}

func played(ctx context.Context, s *story, with conditions) (*end, error) {
	w, err := newWorld(ctx, s, with)
	if err != nil {
		return nil, err
	}
	w.start(ctx)
	err = w.play(ctx)
	w.stop()
	if err != nil {
		return nil, fmt.Errorf("%w\n  faults: %v\n  accident: %s\n  last calls: %s", err, w.faults, w.hit, strings.Join(tail(w.names(), 12), " | "))
	}
	got, err := w.judge(ctx)
	if err != nil {
		return nil, err
	}
	got.calls, got.hit, got.wire = w.names(), w.hit, w.wire.calls.Load()
	return got, nil
}

func tail(all []string, n int) []string { return all[max(0, len(all)-n):] }

// wanted lists what is wrong with an end that nothing has disturbed.
func (s *story) wanted(got *end) []string {
	wrong := slices.Clone(got.wrong)
	if !samePosts(s.posts, got.posts) {
		wrong = append(wrong, fmt.Sprintf("posts:\n    %s\n  want:\n    %s", strings.Join(cutAll(got.posts), "\n    "), strings.Join(s.posts, "\n    ")))
	}
	if missing := sameSaved(s.saved, got.saved); len(missing) > 0 {
		wrong = append(wrong, fmt.Sprintf("saved: %s\n  lacks: %s", strings.Join(got.saved, " · "), strings.Join(missing, " · ")))
	}
	if len(s.answers) > 0 && !samePosts(s.answers, got.answers) {
		wrong = append(wrong, fmt.Sprintf("answers:\n    %s\n  want:\n    %s", strings.Join(cutAll(got.answers), "\n    "), strings.Join(s.answers, "\n    ")))
	}
	if s.buttons != nil && !slices.Equal(s.buttons, got.buttons) {
		wrong = append(wrong, fmt.Sprintf("buttons:\n    %s\n  want:\n    %s", strings.Join(got.buttons, "\n    "), strings.Join(s.buttons, "\n    ")))
	}
	if missing := unset(s.set, got.set); len(missing) > 0 {
		wrong = append(wrong, fmt.Sprintf("set:\n    %s\n  lacks:\n    %s", strings.Join(got.set, "\n    "), strings.Join(missing, "\n    ")))
	}
	if who := s.settings.Notified; who != "" && !slices.Contains(got.notified, who) {
		wrong = append(wrong, "no post notified "+who)
	}
	for _, a := range s.asked {
		at := strings.IndexAny(a, ":!")
		n, err := strconv.Atoi(a[:max(at, 0)])
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("want.asked %q names no words", a))
			continue
		}
		text := unescape(strings.TrimSpace(a[at+1:]))
		if got.asked(n, text) != (a[at] == ':') {
			wrong = append(wrong, fmt.Sprintf("prompt: not as in %q", a))
		}
	}
	return wrong
}

// TestStories plays every story as it is written, over the twins.
func TestStories(t *testing.T) {
	hush(t)
	for _, s := range corpus(t) {
		t.Run(s.name, func(t *testing.T) {
			got, err := run(t, s, conditions{})
			if err != nil {
				t.Fatalf("%s\n  %v", s.title, err)
			}
			for _, wrong := range s.wanted(got) {
				t.Errorf("%s\n  %s", s.title, wrong)
			}
		})
	}
}

// TestStoriesOnSQLite plays every story over the engines of the local program.
func TestStoriesOnSQLite(t *testing.T) {
	hush(t)
	for _, s := range corpus(t) {
		t.Run(s.name, func(t *testing.T) {
			dir := t.TempDir()
			got, err := run(t, s, conditions{open: func(t *testing.T) (engines, func(), error) { return onSQLite(t, dir) }})
			if err != nil {
				t.Fatalf("%s\n  %v", s.title, err)
			}
			for _, wrong := range s.wanted(got) {
				t.Errorf("%s\n  %s", s.title, wrong)
			}
		})
	}
}

func onSQLite(t *testing.T, dir string) (engines, func(), error) {
	db, err := kvsqlite.Open(t.Context(), filepath.Join(dir, "stories.db"))
	if err != nil {
		return engines{}, nil, err
	}
	q, err := queuesqlite.Open(t.Context(), db.Writer(), queuesqlite.Options{MaxReceives: receives})
	if err != nil {
		return engines{}, nil, errors.Join(err, db.Close())
	}
	return engines{db, q}, func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}, nil
}
