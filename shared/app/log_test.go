package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"tsumugi/shared/app"
	"tsumugi/shared/chat"
	"tsumugi/shared/telemetry"
)

// The keys that lines of workers have. A line of a new message needs a row here: which of the five keys are known where it is
// logged.
var (
	ofEvent = []string{"channel", "event"}
	ofTurn  = []string{"channel", "event", "fence", "plan", "turn"}
	// ofJob are those of whatever a message of a queue names.
	ofJob = []string{"channel", "event", "or plan and turn"}
	// ofHold are those of whoever holds the channel, planning or speaking.
	ofHold = []string{"channel", "event", "fence", "or plan and turn"}

	lineKeys = map[string][]string{
		"admitted":            ofEvent,
		"the channel is gone": ofEvent,
		"planned":             ofTurn,

		"turn ended":               ofTurn,
		"turn will be tried again": ofTurn,
		"turn cannot be shown":     ofTurn,
		"turn cannot be spoken":    ofTurn,
		"model failed":             ofTurn,
		"adopted a message":        ofTurn,
		"chat_turn_latency":        ofTurn,

		"the channel went to another worker":        ofHold,
		"the channel has moved on":                  ofHold,
		"the channel was not given back":            ofHold,
		"the hold was not looked after":             ofHold,
		"the channel refuses to be written to":      ofTurn,
		"that a channel refuses could not be noted": ofTurn,
		"reply was not reviewed":                    ofTurn,
		"a channel has no webhook for personas":     ofTurn,
		"a persona lost its face":                   ofTurn,
		"the streams could not be counted":          ofTurn,
		"visibility was not extended":               ofHold,
		"swept":                                     ofHold,

		"message deferred":                            ofJob,
		"message failed":                              ofJob,
		"message could not be given back early":       ofJob,
		"dead letter handled":                         ofJob,
		"worker panicked":                             ofJob,
		"buried a dead letter":                        ofEvent,
		"a message of the history was not understood": ofJob,

		"command":                  ofEvent,
		"command answered":         ofEvent,
		"a provider does not work": ofEvent,

		"the doctor found something": ofEvent,

		"sweep": nil, // of many channels
		"refused what Discord has not signed; Discord tries this itself now and then": nil, // nothing of it is known
		"batch failed": nil, // the event source's, of many messages
		"messages are done but not all could be deleted, they will be delivered again": nil,
	}
)

// lacking are the keys that a line ought to have.
func lacking(line map[string]any) (missing []string) {
	for _, key := range lineKeys[fmt.Sprint(line["msg"])] {
		if key == "or plan and turn" {
			if (line["plan"] == nil) != (line["turn"] == nil) || line["queue"] == "replies" && line["plan"] == nil {
				missing = append(missing, "plan and turn")
			}
			continue
		}
		if line[key] == nil || line[key] == "" {
			missing = append(missing, key)
		}
	}
	return missing
}

// Lambda takes the level of a line that has level and timestamp, the time as of RFC 3339, and the metric filter looks for msg.
func TestLinesAreAsLambdaReadsThem(t *testing.T) {
	var out bytes.Buffer
	app.Logger(&out).ErrorContext(chat.With(t.Context(), "event", "1"), "said", slog.Group("about", "time", "of day"))
	var line struct {
		Timestamp, Level, Msg, Event string
		About                        struct{ Time string }
	}
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	if _, err := time.Parse(time.RFC3339, line.Timestamp); err != nil || line.Level != "ERROR" || line.Msg != "said" || line.Event != "1" || line.About.Time != "of day" {
		t.Errorf("%v: %s", err, out.String())
	}
}

// TestLinesHaveTheirKeys plays every story and looks at every line: it has the keys that are known, and nothing that people and
// models have said, and nobody's id.
func TestLinesHaveTheirKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range corpus(t) {
		t.Run(s.name, func(t *testing.T) {
			log := logged(t)
			var secret []string
			synctest.Test(t, func(t *testing.T) {
				w, err := newWorld(t.Context(), s, conditions{recorder: telemetry.Latency{Namespace: telemetry.Namespace("house")}})
				if err != nil {
					t.Fatal(err)
				}
				w.start(t.Context())
				err = w.play(t.Context())
				for _, u := range w.sim.State().Users {
					secret = append(secret, u.ID)
				}
				for _, m := range append(slices.Clone(w.said), w.posts()...) {
					secret = append(secret, strings.Fields(m.Content)...)
				}
				w.stop()
				if err != nil {
					t.Fatal(err)
				}
			})
			for text := range strings.Lines(log.String()) {
				var line map[string]any
				if err := json.Unmarshal([]byte(text), &line); err != nil {
					t.Fatalf("%v: %s", err, text)
				}
				msg := fmt.Sprint(line["msg"])
				seen[msg] = true
				if _, known := lineKeys[msg]; !known {
					t.Errorf("nobody says which keys this line has: %s", text)
				}
				if missing := lacking(line); len(missing) > 0 {
					t.Errorf("lacks %v: %s", missing, text)
				}
				delete(line, "msg")
				told := wordsIn(line)
				for _, word := range secret {
					word = strings.Trim(word, ".,;:!?*\"'")
					if len(word) >= 5 && !slices.Contains(strings.Fields(allowed+"message provider cannot house"), word) && slices.Contains(told, word) {
						t.Errorf("%q is told in %s", word, text)
					}
				}
			}
		})
	}
	for _, msg := range []string{"admitted", "planned", "turn ended", "model failed", "message deferred", "swept", "batch failed", "turn cannot be shown"} {
		if !seen[msg] {
			t.Errorf("no story logs %q, so this test looks for the wrong lines", msg)
		}
	}
}

// wordsIn are the words of all values.
func wordsIn(v any) (all []string) {
	switch v := v.(type) {
	case string:
		return strings.FieldsFunc(v, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' })
	case map[string]any:
		for _, in := range v {
			all = append(all, wordsIn(in)...)
		}
	case []any:
		for _, in := range v {
			all = append(all, wordsIn(in)...)
		}
	}
	return all
}
