package model

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"strings"
	"time"

	"tsumugi/shared/llm"
)

// HumanPace is the demo voice's usual speed, in characters a second.
const HumanPace = 50

// Voice is the demo voice: an llm.Model that needs no model. It plays the personas of a new installation (Mira, who greets;
// Fenn, who tells; Quill, who remembers), takes up words of what was said and of what the prompt knows of them, and says of
// itself that it is a demo. The same request always gets the same reply.
type Voice struct {
	pace int
}

var _ llm.Model = (*Voice)(nil)

// Demo gives a demo voice that speaks pace characters a second; 0 means without any wait, for tests and benches.
func Demo(pace int) *Voice { return &Voice{pace: max(pace, 0)} }

// Stream speaks. MaxTokens and Stop are honoured; a token is taken to be four characters.
func (v *Voice) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		text, reason := limit(compose(r), r)
		draw := drawing(r)
		// As somebody who reads before answering.
		pause := v.duration(20 + draw.below(20))
		for text != "" {
			piece := text[:cut(text, 2+draw.below(5))]
			text = text[len(piece):]
			if err := wait(ctx, pause); err != nil {
				yield(llm.Delta{}, fmt.Errorf("ask model: %w", err))
				return
			}
			if !yield(llm.Delta{Text: piece}, nil) {
				return
			}
			pause = v.duration(len([]rune(piece)))
		}
		if err := wait(ctx, pause); err != nil {
			yield(llm.Delta{}, fmt.Errorf("ask model: %w", err))
			return
		}
		yield(llm.Delta{Done: &llm.Done{Reason: reason}}, nil)
	}
}

// duration is how long it takes to say n characters.
func (v *Voice) duration(n int) time.Duration {
	if v.pace == 0 {
		return 0
	}
	return time.Duration(n) * time.Second / time.Duration(v.pace)
}

// cut is where in text the first n characters end.
func cut(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// limit applies the request's stop texts and token limit.
func limit(text string, r llm.Request) (string, llm.Reason) {
	for _, s := range r.Stop {
		if i := strings.Index(text, s); s != "" && i >= 0 {
			text = text[:i]
		}
	}
	if r.MaxTokens > 0 {
		if end := cut(text, 4*r.MaxTokens); end < len(text) {
			return text[:end], llm.Length
		}
	}
	return text, llm.Stopped
}

// draw is a small source of choices that depends on nothing but the request.
type draw struct{ state uint64 }

func drawing(r llm.Request) *draw {
	h := fnv.New64a()
	for _, m := range r.Messages {
		fmt.Fprintf(h, "%s\x00%s\x00%s\x00", m.Role, m.Name, m.Text)
	}
	return &draw{state: h.Sum64()}
}

// below gives a number from 0 to n-1 (the splitmix64 step).
func (d *draw) below(n int) int {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

// of gives one of lines with the words put in, as character describes them.
func (d *draw) of(lines []string, h hearing) string {
	name := ""
	if h.name != "" {
		name = ", " + h.name
	}
	alone := h.name
	if alone == "" {
		alone = "my friend"
	}
	return strings.NewReplacer("{name}", name, "{name1}", alone, "{Name}", capital(alone), "{topic}", h.topic, "{Topic}", capital(h.topic),
		"{lore}", h.lore, "{Facts}", strings.Join(h.facts, " ")).Replace(lines[d.below(len(lines))])
}
