package telemetry

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"tsumugi/shared/chat"
)

// stamp is RFC 3339 in UTC with milliseconds.
const stamp = "2006-01-02T15:04:05.000Z07:00"

// Timeline is what Explain shows of a trigger. Times are milliseconds from Began. A stage that still runs has taken the time
// until now.
type Timeline struct {
	Event   string   `json:"event"`
	Channel string   `json:"channel"`
	Plan    string   `json:"plan"`    // ids of the personas that were chosen, in order
	Replies []string `json:"replies"` // ids of the messages that answer it
	Began   string   `json:"began"`
	Total   int64    `json:"total_ms"` // to the end of the last stage
	Outcome string   `json:"outcome"`  // the ledger's row (chat.Row)
	Stages  []Stage  `json:"stages"`   // in the order of their begin
}

// Stage is one stage of a Timeline. Stages may lie within each other and beside each other.
type Stage struct {
	Name   string `json:"name"`
	Detail string `json:"detail"` // reason codes and ids of personas; from the second attempt on its number first
	At     int64  `json:"at_ms"`
	Took   int64  `json:"took_ms"`
	Calls  Calls  `json:"calls"`
	Turn   int    `json:"turn"` // from 1; 0 in admission and planning
	Marks  []Mark `json:"marks"`
	Error  string `json:"error"` // a chat.Word; "" when all went well
}

// Calls is how many calls of the outside a stage made.
type Calls struct {
	Store   int64 `json:"store"`
	Queue   int64 `json:"queue"`
	Discord int64 `json:"discord"`
	Model   int64 `json:"model"`
}

// Mark is a moment within a stage.
type Mark struct {
	Name string `json:"name"`
	At   int64  `json:"at_ms"`
}

// Explain gives the Timeline of a trigger, or of the trigger that a message of ours answers, as JSON; false when none is
// kept.
func (t *Timelines) Explain(messageID string) ([]byte, bool) {
	view, ok := t.Timeline(messageID)
	if !ok {
		return nil, false
	}
	text, err := json.Marshal(view)
	return text, err == nil
}

// Timeline is what Explain gives, before it is JSON.
func (t *Timelines) Timeline(messageID string) (Timeline, bool) {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prune(now)
	line := t.triggers[chat.EventID(messageID)]
	if line == nil {
		line = t.replies[chat.MessageID(messageID)]
	}
	if line == nil {
		return Timeline{}, false
	}
	return line.shown(now), true
}

func (l *timeline) shown(now time.Time) Timeline {
	v := Timeline{Event: string(l.event), Channel: string(l.channel), Plan: strings.Join(l.plan, ", "), Replies: []string{},
		Began: l.began.UTC().Format(stamp), Outcome: string(l.outcome), Stages: []Stage{}}
	for _, m := range l.replies {
		v.Replies = append(v.Replies, string(m))
	}
	for _, s := range l.stages {
		v.Stages = append(v.Stages, s.shown(l.began, now))
		v.Total = max(v.Total, s.end(now).Sub(l.began).Milliseconds())
	}
	return v
}

func (s *stage) end(now time.Time) time.Time {
	if s.ended {
		return s.begin.Add(s.took)
	}
	return now
}

func (s *stage) shown(began, now time.Time) Stage {
	at := s.begin.Sub(began).Milliseconds()
	v := Stage{Name: s.name, Detail: s.detail, At: at, Took: s.end(now).Sub(began).Milliseconds() - at, Turn: s.turn, Marks: []Mark{}, Error: s.failure,
		Calls: Calls{Store: s.calls[chat.CallStore].Load(), Queue: s.calls[chat.CallQueue].Load(),
			Discord: s.calls[chat.CallDiscord].Load(), Model: s.calls[chat.CallModel].Load()}}
	if s.attempt > 1 {
		v.Detail = strings.TrimSpace(fmt.Sprintf("attempt %d %s", s.attempt, s.detail))
	}
	for _, m := range s.marks {
		v.Marks = append(v.Marks, Mark{m.name, m.at.Sub(began).Milliseconds()})
	}
	return v
}
