package command

import (
	"strconv"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/locale"
)

// stale is the age at which the message of a dialogue is not obeyed any more: as long as Discord takes answers to what began it.
const stale = tokenLife

// use is one use of a command, or of what a step of it offered.
type use struct {
	chat.Interaction
	row  *row
	step string   // "" for the command itself
	args []string // that the custom id carries
	say  locale.Language
}

// id is the custom id that leads to a step of the same command, for the one who uses it now. Arguments are ids and numbers:
// short, and without "|".
func (u *use) id(step string, args ...string) string { return u.idOf(u.row.path, step, args...) }

// idOf is the custom id that leads to a step of another command.
func (u *use) idOf(path, step string, args ...string) string {
	owner, _ := strconv.ParseUint(string(u.User), 10, 64)
	return chat.CustomID(path, step, strconv.FormatUint(owner, 36), args...)
}

// arg is an argument of the custom id; "" when it has none.
func (u *use) arg(n int) string {
	if n < len(u.args) {
		return u.args[n]
	}
	return ""
}

// chosen is the only value that was chosen in a menu.
func (u *use) chosen() string {
	if len(u.Values) == 0 {
		return ""
	}
	return u.Values[0]
}

// text is an answer of the text of the key, filled in.
func (u *use) text(key string, fill ...any) chat.Answer {
	return chat.Answer{Text: u.say.Say(key, fill...)}
}

// route finds what an interaction is about. The key, where there is one, is of the text that says why there is nothing.
func route(i chat.Interaction) (u *use, key string) {
	u = &use{Interaction: i, say: locale.Pick(i.Locale, i.GuildLocale)}
	switch i.Kind {
	case chat.UsedCommand, chat.AskedChoices:
		if u.row = find(i.Command); i.Target != "" {
			u.row = inMenu(i.Command)
		}
		if u.row == nil {
			return u, "refused.unknown"
		}
	case chat.UsedComponent, chat.SentModal:
		path, step, owner, args, ok := chat.ReadCustomID(i.CustomID)
		u.row, u.step, u.args = find(path), step, args
		if path == chat.ReplyPath {
			u.row = replyRow()
		}
		if !ok || u.row == nil || u.row.step(step).idle() {
			return u, "refused.stale"
		}
		if u.work().open {
			return u, ""
		}
		if by, err := strconv.ParseUint(owner, 36, 64); err != nil || strconv.FormatUint(by, 10) != string(i.User) {
			return u, "refused.another"
		}
		// What was typed into a form is taken however long that took, and a note says itself when it is gone.
		if at, ok := chat.SnowflakeTime(string(i.Message)); i.Kind == chat.UsedComponent && !u.work().noted && (!ok || time.Since(at) > stale) {
			return u, "refused.stale"
		}
	default:
		return u, "refused.kind"
	}
	return u, ""
}
