package discord

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A clock that is wrong is told of once, with the fix, and again after it was right.
func TestAWrongClockIsToldOf(t *testing.T) {
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)
	synctest.Test(t, func(t *testing.T) {
		var c clock
		for _, step := range []struct {
			ahead time.Duration // of Discord's
			lines int
		}{{0, 0}, {time.Minute, 0}, {-time.Hour, 1}, {-time.Hour, 1}, {24 * time.Hour, 1}, {0, 1}, {10 * time.Minute, 2}} {
			c.hear(http.Header{"Date": {time.Now().Add(step.ahead).UTC().Format(http.TimeFormat)}})
			if n := strings.Count(log.String(), "NTP"); n != step.lines {
				t.Errorf("%s ahead: %d lines, want %d", step.ahead, n, step.lines)
			}
		}
		c.hear(http.Header{"Date": {"yesterday"}})
		if d := time.Until(c.now()); d != 10*time.Minute {
			t.Errorf("what is no time makes it %s", d)
		}
	})
	if !strings.Contains(log.String(), "off=1h0m0s") {
		t.Errorf("it says\n%s", log.String())
	}
}
