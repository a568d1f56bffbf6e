package discord

import (
	"fmt"
	"time"
	"unicode/utf8"
)

// What Discord takes of a poll.
const (
	maxQuestion   = 300
	maxAnswer     = 55
	maxAnswers    = 10
	maxPollHours  = 768
	pollHours     = 24 // where the caller says none
	pollEmojiName = 32
)

// PollMedia is a question or an answer.
type PollMedia struct {
	Text  string         `json:"text,omitempty"`
	Emoji *ReactionEmoji `json:"emoji,omitempty"`
}

// PollAnswer is one of a poll's answers.
type PollAnswer struct {
	ID    int       `json:"answer_id"`
	Media PollMedia `json:"poll_media"`
}

// PollResults says how the votes stand. Nobody votes in the simulator.
type PollResults struct {
	Counts    []struct{} `json:"answer_counts"`
	Finalized bool       `json:"is_finalized"`
}

// Poll is a poll as messages show it.
type Poll struct {
	Question PollMedia    `json:"question"`
	Answers  []PollAnswer `json:"answers"`
	Expiry   Time         `json:"expiry"`
	Multiple bool         `json:"allow_multiselect"`
	Layout   int          `json:"layout_type"`
	Results  PollResults  `json:"results"`
}

// at is the poll as it stands at a time.
func (p *Poll) at(now time.Time) *Poll {
	if p == nil {
		return nil
	}
	v := *p
	v.Results = PollResults{Counts: []struct{}{}, Finalized: !now.Before(p.Expiry.Time)}
	return &v
}

// pollForm is a poll as a caller asks for it.
type pollForm struct {
	Question struct {
		Text *string `json:"text"`
	} `json:"question"`
	Answers []struct {
		Media struct {
			Text  *string `json:"text"`
			Emoji *struct {
				ID   *string `json:"id"`
				Name *string `json:"name"`
			} `json:"emoji"`
		} `json:"poll_media"`
	} `json:"answers"`
	Duration *int  `json:"duration"`
	Multiple *bool `json:"allow_multiselect"`
	Layout   *int  `json:"layout_type"`
}

func (f *pollForm) check() *fieldError {
	if f == nil {
		return nil
	}
	text := func(path string, value *string, most int) *fieldError {
		switch {
		case value == nil || *value == "":
			return &fieldError{path, "BASE_TYPE_REQUIRED", "This field is required"}
		case utf8.RuneCountInString(*value) > most:
			return tooLong(path, most)
		}
		return nil
	}
	if e := text("poll.question.text", f.Question.Text, maxQuestion); e != nil {
		return e
	}
	if n := len(f.Answers); n < 1 || n > maxAnswers {
		return &fieldError{"poll.answers", "BASE_TYPE_BAD_LENGTH", fmt.Sprintf("Must be between 1 and %d in length.", maxAnswers)}
	}
	for i, a := range f.Answers {
		if e := text(fmt.Sprintf("poll.answers.%d.poll_media.text", i), a.Media.Text, maxAnswer); e != nil {
			return e
		}
		if m := a.Media.Emoji; m != nil && m.Name != nil && utf8.RuneCountInString(*m.Name) > pollEmojiName {
			return tooLong(fmt.Sprintf("poll.answers.%d.poll_media.emoji.name", i), pollEmojiName)
		}
	}
	if f.Duration != nil && (*f.Duration < 1 || *f.Duration > maxPollHours) {
		return &fieldError{"poll.duration", "NUMBER_TYPE_MAX", fmt.Sprintf("int value should be between 1 and %d.", maxPollHours)}
	}
	if f.Layout != nil && *f.Layout != 1 {
		return &fieldError{"poll.layout_type", "BASE_TYPE_CHOICES", "Value must be one of (1,)."}
	}
	return nil
}

// poll is what a checked form asks for.
func (f *pollForm) poll(now time.Time) *Poll {
	hours := pollHours
	if f.Duration != nil {
		hours = *f.Duration
	}
	p := &Poll{
		Question: PollMedia{Text: *f.Question.Text}, Expiry: Time{now.Add(time.Duration(hours) * time.Hour)}, Layout: 1,
		Multiple: f.Multiple != nil && *f.Multiple,
	}
	for i, a := range f.Answers {
		answer := PollAnswer{ID: i + 1, Media: PollMedia{Text: *a.Media.Text}}
		if m := a.Media.Emoji; m != nil && (m.ID != nil || m.Name != nil) {
			answer.Media.Emoji = &ReactionEmoji{ID: m.ID}
			if m.Name != nil {
				answer.Media.Emoji.Name = *m.Name
			}
		}
		p.Answers = append(p.Answers, answer)
	}
	return p
}
