package app_test

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/speech"
	"tsumugi/shared/store"
)

// end is what a run has come to.
type end struct {
	posts []string // visible posts of the bot, with who spoke them
	turns []*turnSaved
	saved []string // parts of want.saved: all that could be wanted
	wrong []string // what no story may end with
	calls []string // of ports, in order
	wire  int64    // calls of Discord
	hit   string   // the call that the accident happened to
	asked func(words int, text string) bool

	notified []string // by posts

	answers []string // to commands
	buttons []string // below the posts
	set     []string // what is set in the guild
}

// named is the name of somebody with an id.
func (w *scene) named(id string) string {
	for _, u := range w.sim.State().Users {
		if u.ID == id {
			return u.Name
		}
	}
	return id
}

// posts are all posts of the bot, deleted ones included, in order.
func (w *scene) posts() []simdiscord.Message {
	var all []simdiscord.Message
	for _, m := range w.vanished {
		if w.spoke(m) {
			all = append(all, m)
		}
	}
	for _, c := range w.channels() {
		for _, m := range w.sim.AllMessages(c) {
			if w.spoke(m) {
				all = append(all, m)
			}
		}
	}
	slices.SortFunc(all, func(a, b simdiscord.Message) int { return byID(a.ID, b.ID) })
	return all
}

// spoke tells whether the bot wrote a post: its account, or a webhook of its application.
func (w *scene) spoke(m simdiscord.Message) bool {
	return m.Author.ID == string(w.us) || m.WebhookID != "" && m.ApplicationID == w.sim.State().Application.ID
}

func byID(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

func newerID(a, b string) bool { return byID(a, b) > 0 }

// items are all items of a channel.
func (w *scene) items(ctx context.Context, channel string) ([]kv.Item, error) {
	var all []kv.Item
	for q := (kv.Query{Space: store.SpaceChannels, Partition: channel}); ; {
		page, err := w.store.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
		if q.After = page.Next; q.After == "" {
			return all, nil
		}
	}
}

// turnSaved is one turn as the store has it.
type turnSaved struct {
	event   chat.EventID
	index   int
	persona string
	label   string // that its first message must begin with
	status  string
	reason  string
	words   string // key of its text
	text    string
	redo    bool // it did another turn's reply again
	parts   []partSaved
}

type partSaved struct {
	k       int
	message string
	dropped bool
}

// judged is what is collected of the store for the verdict.
type judged struct {
	*end
	w       *scene
	owner   map[string]string // message → persona
	rows    map[string]string // event → its row and reason
	written map[string]string // texts
	mails   int
	dead    int
	held    []string
	kept    []chat.Reply
}

// judge reads what is visible and what is saved.
func (w *scene) judge(ctx context.Context) (*end, error) {
	j := &judged{end: &end{}, w: w, owner: map[string]string{}, rows: map[string]string{}, written: map[string]string{}}
	for _, c := range w.channels() {
		items, err := w.items(ctx, c)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			if err := j.item(c, item); err != nil {
				return nil, err
			}
		}
	}
	for _, t := range j.turns {
		t.text = j.written[t.words]
	}
	slices.SortStableFunc(j.turns, func(a, b *turnSaved) int {
		return cmp.Or(byID(string(a.event), string(b.event)), cmp.Compare(a.index, b.index))
	})
	j.again()
	j.visible()
	j.texts()
	j.ledger()
	j.rest(ctx)
	j.answers, j.buttons = w.people.heard, w.buttons()
	var err error
	if j.set, err = w.settings(ctx); err != nil {
		return nil, err
	}
	w.mu.Lock()
	j.wrong = append(j.wrong, w.faults...)
	w.mu.Unlock()
	j.asked = func(words int, text string) bool {
		m, err := w.words(words)
		return err == nil && w.model.asked(chat.EventID(m.ID), text)
	}
	return j.end, nil
}

func (j *judged) item(channel string, item kv.Item) error {
	kind, rest, _ := strings.Cut(item.Key.Sort, "#")
	switch kind {
	case "head":
		if phase := item.String("phase"); phase != string(chat.Free) {
			j.held = append(j.held, fmt.Sprintf("channel %s is %s", channel, phase))
		}
		if n := item.Int("waiting"); n != 0 {
			j.bad("the head of channel %s counts %d waiting events", channel, n)
		}
	case "event":
		return j.row(channel, chat.EventID(rest), item)
	case "mail":
		j.mails++
	case "dead":
		j.dead++
	case "message":
		return j.message(channel, rest, item)
	case "reply":
		return j.reply(item)
	case "turn":
		j.written[rest] = item.String("text")
	}
	return nil
}

// row takes what the ledger has of an event, which is also how its turns ended.
func (j *judged) row(channel string, event chat.EventID, item kv.Item) error {
	row, reason := item.String("row"), item.String("reason")
	j.rows[string(event)] = strings.TrimSpace(row + " " + reason)
	if !chat.Row(row).Final() {
		j.bad("the ledger row of words %d is %s, which is not final", j.w.number(event), row)
	}
	for name := range item.Attrs {
		n, is := strings.CutPrefix(name, "turn#")
		if !is {
			continue
		}
		t, err := j.turn(channel, event, n)
		if err != nil {
			return err
		}
		t.status, t.reason = item.String(name), reason // a turn that was not answered is its event's last
		t.words = fmt.Sprintf("%s#%s#%d", event, n, item.Int("text#"+n))
	}
	return nil
}

// message takes whose a message is.
func (j *judged) message(channel, id string, item kv.Item) error {
	if before, double := j.owner[id]; double {
		j.bad("message %s is recorded twice, by %s", id, before)
	}
	t, err := j.turn(channel, chat.EventID(item.String("event")), strconv.FormatInt(item.Int("turn"), 10))
	if err != nil {
		return err
	}
	j.owner[id] = t.persona
	t.parts = append(t.parts, partSaved{int(item.Int("part")), id, item.Has("dropped")})
	slices.SortFunc(t.parts, func(a, b partSaved) int { return cmp.Compare(a.k, b.k) })
	return nil
}

// turn is a turn by its number.
func (j *judged) turn(channel string, event chat.EventID, n string) (*turnSaved, error) {
	index, err := strconv.Atoi(n)
	if err != nil {
		return nil, err
	}
	for _, t := range j.turns {
		if t.event == event && t.index == index {
			return t, nil
		}
	}
	p, err := j.w.plan(channel, event)
	if err != nil {
		return nil, fmt.Errorf("plan of words %d: %w", j.w.number(event), err)
	}
	t := &turnSaved{event: event, index: index, persona: j.w.nameOf(p.Turns[index]), label: p.Turns[index].Label, redo: p.Turns[index].Redo != nil}
	j.turns = append(j.turns, t)
	return t, nil
}

func (j *judged) bad(format string, args ...any) {
	j.wrong = append(j.wrong, fmt.Sprintf(format, args...))
}

// visible collects the posts, each of which must be recorded, and must have pinged nobody but whom the story says.
func (j *judged) visible() {
	places := map[string][]string{}
	for _, m := range j.w.posts() {
		who := j.owner[m.ID]
		if who == "" && !j.w.deleted[m.ID] { // deleted before its worker was able to record it: nothing is left to record
			j.bad("a post that no turn has recorded: %q", cut(m.Content))
			who = "?"
		}
		for _, id := range m.Pinged {
			j.end.notified = append(j.end.notified, j.w.named(id))
		}
		if len(m.Pinged) > 0 && (len(m.Pinged) > 1 || j.w.named(m.Pinged[0]) != j.w.story.settings.Notified) {
			j.bad("a post notified %v: %q", m.Pinged, cut(m.Content))
		}
		if !m.Deleted {
			places[m.ChannelID] = append(places[m.ChannelID], who+": "+strings.ReplaceAll(j.spoken(m), "\n", `\n`))
		}
	}
	for _, c := range j.w.channels() {
		j.end.posts = append(j.end.posts, places[c]...)
	}
}

// spoken is what a post says besides whose words it has. The first message of a persona without a face must say that; with a face
// each must have its name.
func (j *judged) spoken(m simdiscord.Message) string {
	for _, t := range j.turns {
		first := slices.IndexFunc(t.parts, func(p partSaved) bool { return !p.dropped })
		of := slices.ContainsFunc(t.parts, func(p partSaved) bool { return p.message == m.ID })
		if of && m.WebhookID != "" && !strings.EqualFold(m.Author.Username, discord.FaceName(t.persona)) {
			j.bad("a post of %s is by %q", t.persona, m.Author.Username)
		}
		if t.label == "" || first < 0 || t.parts[first].message != m.ID || m.WebhookID != "" {
			continue
		}
		words, labelled := strings.CutPrefix(onScreen(m), t.label)
		if !labelled {
			j.bad("a post of %s does not say whose words it has: %q", t.persona, cut(m.Content))
		}
		return words
	}
	return onScreen(m)
}

// texts holds what is visible of each turn against what is saved.
func (j *judged) texts() {
	shown := map[string]simdiscord.Message{}
	for _, m := range j.w.posts() {
		shown[m.ID] = m
	}
	for _, t := range j.turns {
		if t.status == "" {
			j.bad("a turn of %s for words %d has no end", t.persona, j.w.number(t.event))
		}
		var visible []string
		moderated := false
		for _, p := range t.parts {
			m, is := shown[p.message]
			switch {
			case p.message == "":
			case !is:
				j.bad("a part of words %d records message %q, which was never posted", j.w.number(t.event), p.message)
			case p.dropped && !m.Deleted:
				j.bad("a part that counts as deleted is visible: %q", cut(m.Content))
			case m.Deleted:
				moderated = moderated || j.w.deleted[m.ID]
			default:
				visible = append(visible, onScreen(m))
			}
		}
		if !moderated && !shows(visible, t.label, t.text) {
			j.bad("of the turn of %s for words %d is visible %q and saved %q", t.persona, j.w.number(t.event), cutAll(visible), cut(t.text))
		}
	}
}

// headed divides a text into what stands before its words, and those: whose they are, or what they answer.
func headed(text, label string) (head, words string) {
	if line, rest, more := strings.Cut(text, "\n"); more && strings.HasPrefix(line, "-# ↩ ") {
		return line + "\n", rest
	}
	if words, labelled := strings.CutPrefix(text, label); labelled {
		return label, words
	}
	return "", text
}

// shows tells whether messages show a text: as it is to be divided in one of the ways, or the text is made of them.
func shows(visible []string, label, text string) bool {
	label, words := headed(text, label)
	for _, by := range []speech.Grain{speech.Whole, speech.Paragraphs, speech.Sentences} {
		if slices.Equal(visible, speech.Divide(label, words, by, 1950)) {
			return true
		}
	}
	return strings.Join(visible, "\n") == text || strings.Join(visible, "\n\n") == text
}

// ledger demands one final row for each thing said.
func (j *judged) ledger() {
	for n, m := range j.w.said {
		row := j.rows[m.ID]
		if row == "" {
			j.bad("words %d have no ledger row", n+1)
		}
		j.saved = append(j.saved, strings.TrimSpace(fmt.Sprintf("event %d %s", n+1, row)))
		delete(j.rows, m.ID)
	}
	for _, e := range j.w.asks {
		delete(j.rows, e)
	}
	gone := map[string]bool{}
	for _, m := range j.w.posts() {
		gone[m.ID] = m.Deleted
	}
	for e, row := range j.rows {
		if (j.w.deleted[e] || gone[e]) && row == "deleted deleted" {
			continue // the gateway does not say whose message was deleted, nor by whom
		}
		j.bad("the ledger has a row of event %s, which nobody said", e)
	}
}

func (j *judged) rest(ctx context.Context) {
	for i, t := range j.turns {
		part := fmt.Sprintf("turn %d %s", i+1, t.persona)
		if t.status != string(chat.Answered) {
			part += " " + t.status + " " + t.reason
		}
		j.saved = append(j.saved, strings.TrimSpace(part))
	}
	lease, box := "lease free", "mailbox empty"
	if len(j.held) > 0 {
		lease = "lease held"
		j.wrong = append(j.wrong, j.held...)
	}
	if j.mails > 0 {
		box = fmt.Sprintf("mailbox %d", j.mails)
		j.bad("%d events wait in a mailbox", j.mails)
	}
	left, letters := j.w.stage.queued(ctx)
	j.wrong = append(j.wrong, left...)
	faces := 0
	for _, m := range j.w.posts() {
		if m.WebhookID != "" && !m.Deleted {
			faces++
		}
	}
	j.saved = append(j.saved, lease, box, fmt.Sprintf("faces %d", faces), fmt.Sprintf("dead letters %d", max(j.dead, letters)))
}

func cut(text string) string {
	if r := []rune(text); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return text
}

func cutAll(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, cut(t))
	}
	return out
}

// state says where a run stands that does not come to its end.
func (w *scene) state(ctx context.Context) string {
	var b strings.Builder
	for _, c := range w.channels() {
		items, err := w.items(ctx, c)
		if err != nil {
			return err.Error()
		}
		for _, item := range items {
			if item.Key.Sort == "head" || strings.HasPrefix(item.Key.Sort, "mail#") {
				fmt.Fprintf(&b, "\n  %s %v", item.Key, item.Attrs)
			}
		}
	}
	b.WriteString("\n  " + w.stage.outstanding())
	return b.String()
}

// samePosts compares posts with wanted ones, in which {*} stands for anything.
func samePosts(want, got []string) bool {
	return slices.EqualFunc(want, got, func(want, got string) bool {
		if want = strings.TrimSpace(want); want == got {
			return true
		}
		if !strings.Contains(want, "{") {
			return false
		}
		if who, text, ok := strings.Cut(want, ": "); ok && who+": "+strings.ReplaceAll(unescape(text), "\n", `\n`) == got {
			return true
		}
		pieces := strings.Split(want, "{*}")
		for i := range pieces {
			pieces[i] = regexp.QuoteMeta(pieces[i])
		}
		ok, err := regexp.MatchString("^(?s:"+strings.Join(pieces, ".*")+")$", got)
		return err == nil && ok
	})
}

// sameSaved tells what of the wanted parts is missing. A part may leave out its reason; if one turn is named, all are.
func sameSaved(want, got []string) (missing []string) {
	turns := func(parts []string) int {
		n := 0
		for _, p := range parts {
			if strings.HasPrefix(p, "turn ") {
				n++
			}
		}
		return n
	}
	for _, p := range want {
		long := len(strings.Fields(p)) >= 4 || strings.HasPrefix(p, "event ") && len(strings.Fields(p)) >= 3
		if !slices.ContainsFunc(got, func(g string) bool { return g == p || long && strings.HasPrefix(g, p+" ") }) {
			missing = append(missing, p)
		}
	}
	if n := turns(want); n > 0 && n != turns(got) {
		missing = append(missing, fmt.Sprintf("exactly %d turns", n))
	}
	return missing
}

// onScreen is what a message shows: its words, or its sticker.
func onScreen(m simdiscord.Message) string {
	if m.Content == "" && len(m.StickerItems) > 0 {
		return "[sticker: " + m.StickerItems[0].Name + "]"
	}
	return m.Content
}
