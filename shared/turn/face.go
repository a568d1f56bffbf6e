package turn

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"tsumugi/shared/chat"
)

// maskTries is how many attempts of a turn wait for a face that Discord does not say a word about.
const maskTries = 3

// replyMark begins the line that says what a message with a face answers: it cannot be a reply (Discord, "Execute Webhook").
const replyMark = "-# ↩ "

// errUnmasked means that the first words are to be said in the account's own voice after all.
var errUnmasked = errors.New("the persona has no face here")

// mask is how a persona that is not the account's own appears: with a face, or under its name in the account's voice. The first
// message decides it for the whole turn.
type mask struct {
	face    *chat.Face // nil: the account's own voice
	bare    bool       // the face was lost on the way: what follows is posted by the account, as it stands
	lost    bool       // the face was, before a word was said: the account says it all
	trouble int        // Discord's code for why there is no face, where people in the server can mend that
}

// dress decides it. An earlier attempt that spoke has decided.
func (r *run) dress(ctx context.Context) error {
	h := r.k.Hold
	if r.turn().Label == "" || h.Event.Guild == "" || r.mask != (mask{}) {
		return nil
	}
	if err := r.adapt(); err != nil {
		return err
	}
	face := &chat.Face{Name: r.turn().Name}
	if p, ok := r.place.Cast.ByID(r.turn().Persona); ok && r.opt.Avatar != nil {
		face.Avatar = r.opt.Avatar(h.Event.Guild, p)
	}
	decided, faced := r.appeared()
	if decided && (faced || r.st.HasText) {
		if faced {
			r.mask.face = face
		}
		return nil
	}
	err := r.discord.Mask(ctx, h.Channel)
	switch kind := chat.FailureOf(err); {
	case kind == "" && !decided:
		r.mask.face = face
	case kind == "":
	case kind == chat.NoHook:
		r.mask.trouble = codeOf(err)
	case kind == chat.Vanished, kind == chat.Rejected, decided, h.Failing, h.Head.Retries >= maskTries: // as well without
		slog.WarnContext(ctx, "a persona speaks without its face", "error", err)
	default:
		return fmt.Errorf("dress for turn %d: %w", h.Head.Turn, err)
	}
	return nil
}

// appeared tells whether an earlier attempt has begun to speak, and with a face.
func (r *run) appeared() (decided, faced bool) {
	first := chat.Part{K: chat.Retired}
	for _, p := range r.st.Parts {
		if p.K < first.K && (p.Message != "" || p.Intent != nil) && !p.Dropped {
			first = p
		}
	}
	if first.K == chat.Retired {
		return false, false
	}
	return true, first.Hook != "" || first.Message == "" && first.Intent.Face
}

// label stands before the turn's words where the account's voice has them.
func (r *run) label() string {
	if r.mask.face != nil {
		return ""
	}
	return r.turn().Label
}

// head is what stands before the turn's words: whose they are, or what they answer.
func (r *run) head() string {
	if r.mask.face == nil {
		return r.turn().Label
	}
	if r.replyTo == "" {
		return ""
	}
	h := r.k.Hold
	return fmt.Sprintf("%shttps://discord.com/channels/%s/%s/%s %s\n", replyMark, h.Event.Guild, h.Channel, r.replyTo, harmless(r.answers))
}

// headed divides a text into its head and its words.
func (r *run) headed(text string) (head, words string) {
	if words, ok := strings.CutPrefix(text, r.label()); ok && r.label() != "" {
		return r.label(), words
	}
	if strings.HasPrefix(text, replyMark) {
		if end := strings.IndexByte(text, '\n'); end > 0 {
			return text[:end+1], text[end+1:]
		}
	}
	return "", text
}

// unmask gives the face up, of which nothing has landed: the account says it. Under a label if nothing was said yet; otherwise as it
// stands, for the words are decided, or people have read whose they are.
func (r *run) unmask(ctx context.Context, p *chat.Part, err error) error {
	slog.WarnContext(ctx, "a persona lost its face", "error", err)
	r.void[p.K], r.mask.bare = true, true
	if p.K > 0 || r.st.HasText {
		return nil
	}
	r.mask.face, r.mask.lost, r.mask.trouble = nil, true, codeOf(err)
	return errUnmasked
}

// unmasked are a turn's words, in the account's voice.
func (r *run) unmasked(text string) string {
	_, words := r.headed(text)
	return r.label() + words
}

// masks tells whether part k is to be posted with the face.
func (r *run) masks() bool { return r.mask.face != nil && !r.mask.bare }

// troubles are the words for why there is no face, by Discord's code. Each names what mends it.
var troubles = map[int]string{
	30007: "notice.face.full",
	30058: "notice.face.guild_full",
	50001: "notice.face.access",
	50013: "notice.face.permission",
	10015: "notice.face.gone",
}

// confess adds, once in a day of the channel, why a persona has no face there.
func (r *run) confess(ctx context.Context, say saying) (saying, error) {
	key := troubles[r.mask.trouble]
	if key == "" {
		return say, nil
	}
	text := strings.TrimRight(say.text, "\n") + "\n-# " + r.say(key)
	if len(r.contents(text)) > r.most {
		return say, nil
	}
	tell, err := r.turns.TellHook(ctx, r.k.Hold)
	if err != nil {
		return saying{}, err
	}
	if tell {
		say.text = text
	}
	return say, nil
}
