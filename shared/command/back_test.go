package command_test

import (
	"context"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
)

// shown keeps what stands where the first answer stood.
type shown struct {
	texts []string
	fails error
}

func (s *shown) Amend(_ context.Context, _ chat.Interaction, a chat.Answer) error {
	s.texts = append(s.texts, a.Text)
	return s.fails
}

func TestDeferredAnswersAreGivenAgainOrGivenUp(t *testing.T) {
	old, odd, unknown := atDoctor(), atDoctor(), atDoctor()
	old.ID = chat.EventID(chat.Snowflake(time.Now().Add(-15*time.Minute - time.Second)))
	odd.ID, unknown.Command = "x", "sing"
	for name, c := range map[string]struct {
		use     chat.Interaction
		fails   error
		answers int // after two deliveries
		dropped bool
		retried bool
	}{
		"twice":           {use: atDoctor(), answers: 2},
		"unknown command": {use: unknown, answers: 2},
		"too old":         {use: old, dropped: true},
		"no snowflake":    {use: odd, dropped: true},
		"gone":            {use: atDoctor(), fails: &chat.Failure{Kind: chat.Vanished}, answers: 2, dropped: true},
		"refused":         {use: atDoctor(), fails: &chat.Failure{Kind: chat.Rejected}, answers: 2, dropped: true},
		"Discord is away": {use: atDoctor(), fails: &chat.Failure{Kind: chat.Unknown}, answers: 2, retried: true},
		"limited":         {use: atDoctor(), fails: &chat.Failure{Kind: chat.Throttled}, answers: 2, retried: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shown{fails: c.fails}
			for range 2 {
				err := (&command.Back{Responses: s, Checks: healthy(), Book: kept{}}).Handle(t.Context(), c.use)
				if chat.Dropped(err) != c.dropped || (err != nil) != (c.dropped || c.retried) {
					t.Errorf("got %v", err)
				}
			}
			if len(s.texts) != c.answers {
				t.Errorf("%d answers", len(s.texts))
			}
		})
	}
}
