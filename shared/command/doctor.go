package command

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

func doctorRows() []row {
	return []row{
		{path: "doctor", needs: chat.ManageGuild, work: work{later: (*Back).doctor}},
	}
}

// lookAtMost is how long one check may take.
const lookAtMost = 5 * time.Second

// Checks is what the doctor looks at. Each makes a few cheap calls.
type Checks struct {
	Store   func(context.Context, chat.ChannelID) error // whether it answers
	Relay   func(context.Context) (chat.Health, error)  // what it last said of itself
	Account func(context.Context) error                 // whether Discord takes the token
	Content func(context.Context) (bool, error)         // whether the message content intent is switched on
	Model   func(context.Context) error                 // whether something answers at the address of the operator's model
	Queues  func(context.Context) (Backlog, error)      // what waits there
	// Rights is what the bot may do in channels of a guild. Those that are gone are not in it.
	Rights func(ctx context.Context, guild string, channels []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error)
	// Hooks is what is known of the webhooks of channels.
	Hooks func(ctx context.Context, channels []chat.ChannelID) (map[chat.ChannelID]guild.Hook, error)
	Terms Terms
}

// Backlog is what waits in the queues: messages for workers, and dead letters for whoever buries them.
type Backlog struct{ Waiting, Dead int }

// Terms are what the operator calls what is to be repaired: it has other names in each mode.
type Terms struct {
	ModelURL string // the setting with the address of the model
	Token    string // the setting with the bot's token
	Pictures bool   // Discord can reach the pictures of personas that the installation keeps
	OneLog   bool   // all functions are in one process, with one log
}

// whose is who can repair something, as the key of the text around what they are to do.
type whose string

const (
	anybody  whose = "doctor.by.anybody"
	managers whose = "doctor.by.managers" // of the server
	operator whose = "doctor.by.operator" // of the bot
)

// finding is a line of the doctor's answer, or some.
type finding struct {
	sign  string // how it is
	what  string
	lines []string // more about it; the last ones may be left out
	fix   string   // "" when all is well
}

// Signs of a finding.
const (
	wellSign = "✅"
	mildSign = "⚠️" // it works, and could do more
	illSign  = "❌"
)

// patient is what the doctor looks at, and for whom.
type patient struct {
	*use
	terms Terms
	set   guild.Settings
	rooms map[chat.ChannelID]guild.Channel // for which something is set

	trouble error // of reading these
}

// well is the finding that all is well.
func (p patient) well(key string, fill ...any) finding {
	return finding{sign: wellSign, what: p.say.Say(key, fill...)}
}

// ill is the finding of something that can be repaired; its texts are what and fix below the key. The cause is only logged: it
// may say too much for a channel.
func (p patient) ill(ctx context.Context, cause error, by whose, key string, fill ...any) finding {
	if cause != nil {
		slog.WarnContext(ctx, "the doctor found something", "what", key, "error", cause)
	}
	fix := p.say.Say(key+".fix", fill...)
	return finding{sign: illSign, what: p.say.Say(key+".what", fill...), fix: p.say.Say(string(by), "fix", fix)}
}

// mild is ill where nothing is broken.
func (p patient) mild(ctx context.Context, by whose, key string, fill ...any) finding {
	f := p.ill(ctx, nil, by, key, fill...)
	f.sign = mildSign
	return f
}

// log is where a function writes what went wrong.
func (p patient) log(function string) string {
	if p.terms.OneLog {
		return p.say.Say("doctor.log.program")
	}
	return p.say.Say("doctor.log.function", "name", function)
}

// look is one thing to look at.
type look func(*Back, context.Context, patient) finding

// doctor looks at everything at once. That it answers at all shows that the queues work.
func (b *Back) doctor(ctx context.Context, u *use) (chat.Answer, error) {
	looks := []look{(*Back).lookAtStore, (*Back).lookAtQueues, (*Back).lookAtRelay, (*Back).lookAtAccount, (*Back).lookAtContent,
		(*Back).lookAtChannels, (*Back).lookAtWebhooks, (*Back).lookAtModel}
	p := patient{use: u, terms: b.Checks.Terms}
	p.rooms, p.trouble = bounded(ctx, func(ctx context.Context) (map[chat.ChannelID]guild.Channel, error) {
		var err error
		if p.set, err = u.settings(ctx, b.Book); err != nil {
			return nil, err
		}
		return b.Book.Channels(ctx, u.Guild)
	})
	found := make([]finding, len(looks))
	var all sync.WaitGroup
	for n, l := range looks {
		all.Go(func() {
			found[n], _ = bounded(ctx, func(ctx context.Context) (finding, error) { return l(b, ctx, p), nil })
		})
	}
	all.Wait()
	return chat.Answer{Text: diagnosis(p, found)}, ctx.Err()
}

// bounded does something that has lookAtMost for it.
func bounded[T any](ctx context.Context, do func(context.Context) (T, error)) (T, error) {
	ctx, done := context.WithTimeout(ctx, lookAtMost)
	defer done()
	return do(ctx)
}

// maxLines is how many lines a finding may have.
const maxLines = 10

// diagnosis writes the findings down; lines of theirs are left out until it fits.
func diagnosis(p patient, found []finding) string {
	for most := maxLines; ; most-- {
		var b strings.Builder
		for _, f := range found {
			b.WriteString(f.sign + " " + f.what + "\n")
			for _, line := range f.lines[:min(len(f.lines), most)] {
				b.WriteString("- " + line + "\n")
			}
			if n := len(f.lines) - most; n > 0 {
				b.WriteString("- " + p.say.Count("dialog.more", n) + "\n")
			}
			if f.fix != "" {
				b.WriteString("-# " + f.fix + "\n")
			}
		}
		if text := strings.TrimSuffix(b.String(), "\n"); units(text) <= maxText || most == 0 {
			return text
		}
	}
}
