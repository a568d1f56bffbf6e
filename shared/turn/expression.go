package turn

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/prompt"
	"tsumugi/shared/speech"
)

// A turn may end with one sticker, after its words and in a message of its own. The text of the turn has it as its last line: as the
// tag that people's stickers are read as, or, where a webhook speaks, which sends no stickers (Discord, Execute Webhook), as the
// address of its picture, which Discord shows in its place.
var (
	stickerTag = regexp.MustCompile(`^\[sticker: [^\[\]\n]{1,80}\]$`)
	stickerURL = regexp.MustCompile(`^https://media\.discordapp\.net/stickers/[0-9]{1,20}\.(png|gif)\?size=160$`)
)

// errNoSticker means that Discord does not take the sticker.
var errNoSticker = errors.New("the sticker cannot be sent")

// parted divides a text into its words and its sticker; "" where it has none.
func parted(text string) (words, sticker string) {
	at := strings.LastIndexByte(text, '\n')
	if last := text[at+1:]; alone(last) {
		return strings.TrimRight(text[:max(at, 0)], "\n"), last
	}
	return text, ""
}

// alone tells whether a part is a sticker.
func alone(content string) bool {
	return stickerTag.MatchString(content) || stickerURL.MatchString(content)
}

// stickered tells whether part k, as far as is known, shows a sticker that no edit takes away.
func (r *run) stickered(k int) bool {
	content, known := r.shown[k]
	if !known && r.was != nil {
		if parts := r.contents(r.was.Shown().Text); k < len(parts) {
			content = parts[k]
		}
	}
	return stickerTag.MatchString(content) && r.part(k).Message != "" && !r.renewed[k]
}

// said is what a message of ours says: its words, or its sticker.
func said(m chat.Message) string {
	if m.Text == "" {
		return m.Extras
	}
	return m.Text
}

// expressions reads what the server has made, beside acquiring, where personas shall use it. They are an ornament: a turn speaks
// without them.
func (s *Speaker) expressions(ctx context.Context, e early, j chat.Job) (chat.Expressions, error) {
	place, err := e.place.Wait()
	if err != nil || !place.Expressions || j.Guild == "" {
		return chat.Expressions{}, nil
	}
	made, err := s.discord.Expressions(ctx, j.Guild)
	if chat.FailureOf(err) == chat.Unknown {
		return s.discord.Expressions(ctx, j.Guild) // it reads, and a second time does no harm
	}
	return made, err
}

// express tells the persona what there is, and the lexicon what it looks like. Where nobody knows what there is, words are left as
// they are.
func (r *run) express(s *prompt.Scene) {
	made, err := r.early.expressions.Wait()
	if err != nil || !r.place.Expressions || r.k.Hold.Event.Guild == "" {
		return
	}
	r.lexicon.Emoji = map[string]string{}
	for _, e := range made.Emoji {
		if _, twice := r.lexicon.Emoji[e.Name]; !twice {
			s.Emoji = append(s.Emoji, e.Name)
			r.lexicon.Emoji[e.Name] = e.Markup
		}
	}
	for _, k := range made.Stickers {
		if r.stickerLine(made, k.Name) != "" && !slices.Contains(s.Stickers, k.Name) {
			s.Stickers = append(s.Stickers, k.Name)
		}
	}
}

// stickerLine is the line of a text that stands for a sticker; "" where it cannot be sent.
func (r *run) stickerLine(made chat.Expressions, name string) string {
	k, ok := made.Sticker(name)
	line := "[sticker: " + k.Name + "]"
	if r.mask.face != nil {
		line = k.URL
	}
	if _, sticker := parted(line); !ok || sticker == "" {
		return ""
	}
	return line
}

// sticker is the line for the one that a reply asks for.
func (r *run) sticker(reply string) string {
	_, name := speech.Sticker(reply, true)
	made, err := r.early.expressions.Wait()
	if name == "" || err != nil {
		return ""
	}
	return r.stickerLine(made, name)
}

// stuck is what is said with the sticker behind it, if the turn may send one more message.
func (r *run) stuck(say saying, sticker string) saying {
	if sticker != "" && say.end.Row == chat.Answered && len(r.contents(say.text)) < r.most {
		say.text = strings.TrimLeft(strings.TrimRight(say.text, "\n")+"\n"+sticker, "\n")
	}
	return say
}

// stick brings part k to a sticker. A message that shows something else cannot become one.
func (r *run) stick(ctx context.Context, k int, sticker string) error {
	if err := r.ensure(ctx, k, sticker); err != nil || r.shown[k] == sticker {
		return err
	}
	if _, known := r.shown[k]; !known {
		if err := r.k.Ready(ctx); err != nil {
			return err
		}
		page, err := r.discord.After(ctx, r.k.Hold.Channel, before(r.part(k).Message), 1)
		switch kind := chat.FailureOf(err); {
		case kind == chat.Rejected, kind == "" && (len(page) == 0 || page[0].ID != r.part(k).Message):
			return nil // nobody can tell, or a moderator deleted it
		case err != nil:
			return err
		}
		if r.shown[k] = said(page[0]); r.shown[k] == sticker {
			return nil
		}
	}
	return r.renew(ctx, k, sticker, errNoSticker)
}

// posted makes a sticker of the post that stands for one.
func (r *run) posted(p *chat.Post) error {
	if !stickerTag.MatchString(p.Content) || p.As != nil {
		return nil
	}
	made, err := r.early.expressions.Wait()
	if err != nil {
		return err
	}
	_, name := speech.Sticker(p.Content, true)
	k, ok := made.Sticker(name)
	if !ok {
		return errNoSticker // it is gone since the text was decided
	}
	p.Content, p.Sticker = "", k.ID
	return nil
}

// unstick takes the sticker out of the text that was decided, for it cannot be sent.
func (r *run) unstick(ctx context.Context) error {
	words, _ := parted(r.st.Text)
	if words == "" {
		return refused(errNoSticker, "sticker_refused")
	}
	return r.revise(ctx, saying{words, chat.Ending{Row: r.st.Ending, Reason: r.st.Reason}})
}
