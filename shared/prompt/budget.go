package prompt

import (
	"fmt"

	"tsumugi/shared/llm"
)

// What a counter does not see: the wrapping of each message, and the words that start the reply.
const (
	perMessage = 4
	primer     = 3
)

// countTokens is stage 6.
func countTokens(d *Draft) error {
	d.Budget = d.Scene.Limit - d.Scene.Reserve - primer
	for i := range d.Blocks {
		d.Blocks[i].Tokens = max(0, d.Scene.Count(d.Blocks[i].Text)) + perMessage
	}
	return nil
}

// shift is stage 7: while the prompt is too large, the oldest exchange goes, which is what the others said and the
// replies to it. A reply without its question, or half a question, would mislead the model more than neither.
func shift(d *Draft) error {
	if err := d.check(); err != nil {
		return err
	}
	total := tokens(d.Blocks)
	for total > d.Budget {
		first, last := oldest(d.Blocks)
		d.Cut = append(d.Cut, d.Blocks[first:last]...)
		total -= tokens(d.Blocks[first:last])
		d.Blocks = append(d.Blocks[:first:first], d.Blocks[last:]...)
	}
	return nil
}

// check fails if what may not be dropped does not fit, and says whether the current message is the reason.
func (d *Draft) check() error {
	fixed, input := 0, 0
	for _, b := range d.Blocks {
		if b.Protected {
			fixed += b.Tokens
		}
		if b.Slot == CurrentInput {
			input = b.Tokens
		}
	}
	if fixed <= d.Budget {
		return nil
	}
	numbers := fmt.Sprintf("%d tokens cannot be dropped, %d are left of %d with %d for the reply",
		fixed, max(0, d.Budget), d.Scene.Limit, d.Scene.Reserve)
	if fixed-input <= d.Budget {
		return fmt.Errorf("%w: %w: the message has %d tokens, %s", ErrInput, ErrBudget, input, numbers)
	}
	return fmt.Errorf("%w: %s", ErrBudget, numbers)
}

// oldest is the range of the oldest exchange that may go. The caller has checked that there is one.
func oldest(blocks []Block) (first, last int) {
	for first < len(blocks) && !droppable(blocks[first]) {
		first++
	}
	answered := false
	for last = first; last < len(blocks) && droppable(blocks[last]); last++ {
		if blocks[last].Role == llm.Assistant {
			answered = true
		} else if answered {
			break
		}
	}
	return first, last
}

func droppable(b Block) bool { return !b.Protected }

func tokens(blocks []Block) int {
	n := 0
	for _, b := range blocks {
		n += b.Tokens
	}
	return n
}

// Estimate is a count of tokens that needs no vocabulary and is meant to be a little high: a token for four ASCII
// characters, two letters of other alphabets, or 0.8 characters of scripts like Chinese and Japanese; an emoji counts
// two and a half tokens. It never shrinks when text is added.
func Estimate(text string) int {
	quarters := 0
	for _, r := range text {
		switch {
		case r < 0x80:
			quarters++
		case r < 0x800:
			quarters += 2
		case r < 0x10000:
			quarters += 5
		default:
			quarters += 10
		}
	}
	return (quarters + 3) / 4
}
