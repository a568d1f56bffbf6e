package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"tsumugi/shared/persona"
	simdiscord "tsumugi/shared/sim/discord"
)

// A story is one file of testdata/stories (and of the directory in STORIES_DIR): what people do, what the model answers, and
// what must be seen and saved in the end. It is a txtar archive; blank lines and lines that begin with "#" say nothing.
//
// # settings.json
//
//	channel  where events happen that name no other place: an id or name of the story's own, played in the simulator's lounge;
//	         "hall" and "lounge" are the simulator's own
//	cast     who lives there, in order: names ("mira" and "teo" have cards, any other name gets a plain one; each is called
//	         by its name) or whole personas
//	order    "round": all of the cast answer, in their order; this or "always": true makes the channel always-on
//	history, context, reply   the limits of turn.Options, for stories about limits
//	guilds, daily, guildDaily   what the operator allows, as in plan.Options
//	set      what is set in the story's guild, as guild.Settings; prompt is what is set for its channel
//	notified   whom a post notifies, and nobody else; in other stories nobody is
//	provider   the guild's provider, with its key in clear; "lost" is a key that was sealed elsewhere, "wrong" one that is refused
//
// The same cast lives, not always-on, in every other channel and in direct messages.
//
// # events
//
// One line each, in order. A line waits until everything before it is done (every queue empty, every channel free), unless it
// begins with one of
//
//	at once | @3s | after 3s    no wait; that long
//	while speaking              until the reply to the last words has become visible
//	once asked                  until the model has been asked for it
//	once told                   until the last words have their row in the ledger
//
// and then says what happens:
//
//	[in hall | dm] [reply N | reply to N] [bot | webhook | system] NAME: TEXT   words; they are numbered from 1, over all places
//	[…] sticker NAME: STICKER · […] file NAME: FILE   a message that is only a sticker; only a file
//	again N                              words N are delivered once more, past the queue's deduplication; it never waits
//	edit N: TEXT · delete N              their author changes or deletes words N
//	moderator deletes post N · echo post N   post N of the bot is deleted by somebody else; comes back from the gateway
//	channel deleted                      the story's channel, with everything in it
//	kill · stop NAME                     the commands
//	NAME /COMMAND option:value …         any command, with what is given for its options
//	NAME types /COMMAND option:value     the last option is being typed: what is offered is the answer
//	NAME fills FIELD: TEXT | FIELD: TEXT   the form that is open before them is sent
//	NAME presses LABEL · chooses A, B    a button, or items of a menu, of what only they see; the newest that has it
//	NAME presses LABEL on post N         a button below post N of the bot
//	NAME applies COMMAND to post N       a command in the menu of post N
//	crash · handover · sweep · wait 2m   every worker dies; is asked to leave; the sweeper looks; time passes
//	cast NAME, …                         another cast lives everywhere from now on
//	respond NAME [PERSONA]               NAME asks the persona, or any, to answer what was said last; this is numbered as words
//	set JSON                             the settings of the guild change, as by "set"
//	lateedit 20s                         the connection of the next edit breaks, and it lands that late
//	late 12s                             the next create reaches Discord that late, also if its sender has given up
//	fault JSON                           an accident of the simulator; its route may be "create", "edit", "read", "typing" or "delete"
//
// "reply N" answers post N of the bot, "reply to N" words N. TEXT knows the escapes of a Go string, and {long N} and
// {repeat N TEXT} as below.
//
// # model
//
//	mira> Hel|lo, Ana.      the next reply of mira; | is where one delta ends, a space before a line break in the file is kept
//	mira@2> Hello.          her reply to words 2
//	mira-review> {"verdict":"pass"}   what the review of her next reply says; mira-revision> what she writes anew
//
// Inside: {pause 3s}, {long N} (N characters of words), {repeat N TEXT}, and as its end {error KIND} (a kind of package llm),
// {cut}, {empty}, {refused} or {length}. A reply that ends in a failure which is tried again, or is empty, is followed by the
// reply of the next ask of the same turn on the next line, and so is one that ends with {then}. An ask that is repeated because
// its asker died gets the same again.
//
// # want.posts, want.saved, want.asked
//
//	mira: Hello, Ana.       the posts that are visible in the end, with \n for a line break; {*} stands for anything. Those of the
//	                        lounge come first, then the hall's, then direct messages; in each place the oldest comes first
//	turn 1 mira · turn 2 teo interrupted · event 2 ignored non_trigger · lease free · mailbox empty · dead letters 0
//	2: tea?                 the prompt of a turn for words 2 holds this text; "2! tea?" that none does
//
// Turns are numbered over the story, in the order of their words. Any of want.saved may be left out, but if one turn is named
// all are.
//
// # want.answers, want.settings
//
//	ana: Stopping.          what people read in answer to the commands, in their order; {*} as above; a form is "form TITLE"
//	humanizer: light        what is set in the story's guild in the end: any of the lines of settings_test.go; the changes are
//	                        compared as a whole, if one of them is named
//
// # want.buttons
//
//	2: Regenerate (1/2)     what stands below post N of the bot, deleted ones counted: a line for each post that has buttons, " / " between two rows,
//	                        and brackets around what cannot be pressed. With this section, it is the same under all accidents
//
// When a worker dies, people use again what was not answered, so their answers may differ; what is set may not.
//
// # crash
//
// A story whose end may differ when a worker dies lists the other ends in want.posts.crash and want.saved.crash, with "or" on
// a line of its own between two. A section crash with "skip REASON" takes it out of the accidents.
type story struct {
	name     string
	title    string
	settings settings
	events   []step
	replies  []*scripted
	posts    []string
	saved    []string
	asked    []string
	answers  []string
	set      []string
	buttons  []string
	others   [][]string // further ends of posts
	saveds   [][]string // and of what is saved
	skip     string
}

type settings struct {
	Channel string            `json:"channel"`
	Cast    []json.RawMessage `json:"cast"`
	Order   string            `json:"order"`
	Always  bool              `json:"always"`
	History int               `json:"history"`
	Context int               `json:"context"`
	Reply   int               `json:"reply"`

	Guilds     []string `json:"guilds"`
	Daily      int      `json:"daily"`
	GuildDaily int      `json:"guildDaily"`

	Set      json.RawMessage `json:"set"`
	Prompt   string          `json:"prompt"`
	Notified string          `json:"notified"`
	Provider *provider       `json:"provider"`
}

// step is one line of events.
type step struct {
	line  string
	wait  wait
	after time.Duration
	verb  string
	n     int
	say   simdiscord.Saying // of the verb "say"
	hook  bool              // a webhook of the author's name says it
	place string            // "" the story's channel, a channel, or "dm"
	reply int
	to    int
	names []string
	arg   string
	fault simdiscord.Fault
}

type wait int

const (
	untilQuiet wait = iota
	forTime
	untilSpeaking
	untilAsked
	untilTold
)

func loadStories(dirs ...string) ([]*story, error) {
	var all []*story
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
		if err == nil && len(names) == 0 {
			err = fmt.Errorf("no story (*.txtar) is in %s", dir)
		}
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			s, err := parseStory(strings.TrimSuffix(filepath.Base(name), ".txtar"), text)
			if err != nil {
				return nil, fmt.Errorf("story %s: %w", name, err)
			}
			all = append(all, s)
		}
	}
	return all, nil
}

func parseStory(name string, text []byte) (*story, error) {
	a := txtar.Parse(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	s := &story{name: name, title: strings.Trim(string(a.Comment), "# \n")}
	for _, f := range a.Files {
		var err error
		switch f.Name {
		case "settings.json":
			err = json.Unmarshal(f.Data, &s.settings)
		case "events":
			err = each(f.Data, func(l string) error {
				st, err := parseStep(l)
				s.events = append(s.events, st)
				return err
			})
		case "model":
			err = each(f.Data, s.reply)
		case "want.posts":
			s.posts = lines(f.Data)
		case "want.saved":
			s.saved = parts(lines(f.Data))
		case "want.asked":
			s.asked = lines(f.Data)
		case "want.answers":
			s.answers = lines(f.Data)
		case "want.buttons":
			s.buttons = lines(f.Data)
		case "want.settings":
			s.set = lines(f.Data)
		case "want.posts.crash":
			s.others = ends(f.Data)
		case "want.saved.crash":
			for _, end := range ends(f.Data) {
				s.saveds = append(s.saveds, parts(end))
			}
		case "crash":
			s.skip, _ = strings.CutPrefix(strings.TrimSpace(string(f.Data)), "skip ")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if len(s.events) == 0 {
		return nil, fmt.Errorf("nothing happens in it")
	}
	return s, nil
}

func lines(data []byte) []string {
	var out []string
	for l := range strings.Lines(string(data)) {
		l = strings.TrimRight(l, "\n")
		if strings.TrimSpace(l) != "" && !strings.HasPrefix(l, "#") {
			out = append(out, l)
		}
	}
	return out
}

func each(data []byte, do func(string) error) error {
	for _, l := range lines(data) {
		if err := do(l); err != nil {
			return fmt.Errorf("%q: %w", l, err)
		}
	}
	return nil
}

// ends are blocks with "or" between them. A block may be empty: nothing is posted.
func ends(data []byte) [][]string {
	out := [][]string{nil}
	for _, l := range lines(data) {
		if strings.TrimSpace(l) == "or" {
			out = append(out, nil)
			continue
		}
		out[len(out)-1] = append(out[len(out)-1], l)
	}
	return out
}

func parts(all []string) []string {
	var out []string
	for _, l := range all {
		for _, p := range strings.Split(l, "·") {
			if p = strings.Join(strings.Fields(p), " "); p != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

var (
	afterTime = regexp.MustCompile(`^(?:@|after )(\S+) `)
	saying    = regexp.MustCompile(`^(?:(dm|in \S+) )?(?:reply (to )?(\d+) )?(?:(bot|webhook|system|sticker|file) )?([\w-]+): ?(.*)$`)
	numbered  = regexp.MustCompile(`^(again|delete|moderator deletes post|echo post) (\d+)$`)
	editing   = regexp.MustCompile(`^edit (\d+): ?(.*)$`)
)

func parseStep(line string) (step, error) {
	st := step{line: line}
	rest := strings.TrimSpace(line)
	if m := afterTime.FindStringSubmatch(rest); m != nil {
		d, err := time.ParseDuration(m[1])
		if err != nil {
			return st, err
		}
		st.wait, st.after, rest = forTime, d, rest[len(m[0]):]
	}
	if r, ok := strings.CutPrefix(rest, "at once "); ok {
		st.wait, rest = forTime, r
	}
	for _, w := range []struct {
		words string
		wait  wait
	}{{"while speaking ", untilSpeaking}, {"once asked ", untilAsked}, {"once told ", untilTold}} {
		if r, ok := strings.CutPrefix(rest, w.words); ok {
			st.wait, rest = w.wait, r
		}
	}
	return st, st.action(rest)
}

func (st *step) action(rest string) (err error) {
	if m := numbered.FindStringSubmatch(rest); m != nil {
		st.verb = m[1]
		if st.verb == "again" && st.wait == untilQuiet {
			st.wait = forTime
		}
		st.n, err = strconv.Atoi(m[2])
		return err
	}
	if m := editing.FindStringSubmatch(rest); m != nil {
		st.verb, st.say.Content = "edit", unescape(m[2])
		st.n, err = strconv.Atoi(m[1])
		return err
	}
	if slices.Contains(unnumbered, rest) {
		st.verb = rest
		return nil
	}
	word, arg, _ := strings.Cut(rest, " ")
	switch word {
	case "kill", "crash", "handover", "sweep":
		st.verb = word
		return nil
	case "set":
		st.verb, st.arg = word, arg
		return nil
	case "stop", "cast", "respond":
		st.verb, st.names = word, strings.FieldsFunc(arg, func(r rune) bool { return r == ',' || r == ' ' })
		return nil
	case "wait", "late", "lateedit":
		st.verb = word
		st.after, err = time.ParseDuration(arg)
		return err
	case "fault":
		st.verb = word
		return st.arm(arg)
	}
	if st.redo(rest) || st.use(rest) {
		return nil
	}
	m := saying.FindStringSubmatch(rest)
	if m == nil {
		return fmt.Errorf("nobody knows what this means")
	}
	return st.words(m)
}

// unnumbered are what happens to the story's channel.
var unnumbered = []string{"channel deleted", "webhook deleted", "webhooks full", "webhooks denied", "webhooks allowed", "messages managed"}

func (st *step) words(m []string) (err error) {
	st.verb, st.place = "say", strings.TrimPrefix(m[1], "in ")
	if m[3] != "" {
		n, _ := strconv.Atoi(m[3])
		if m[2] == "" {
			st.reply = n
		} else {
			st.to = n
		}
	}
	st.say = simdiscord.Saying{Author: m[5], Content: unescape(m[6])}
	switch m[4] {
	case "webhook":
		st.hook = true
	case "system":
		st.say.Type = 7
	case "file":
		st.say.Attachments, st.say.Content = []simdiscord.Attachment{{Filename: st.say.Content, Size: 4096}}, ""
	case "sticker":
		st.say.Stickers, st.say.Content = []string{st.say.Content}, ""
	}
	return nil
}

// routes are the simulator's patterns of the calls that a turn makes.
var routes = map[string][2]string{
	"create": {"POST", "/channels/{channel_id}/messages"},
	"read":   {"GET", "/channels/{channel_id}/messages"},
	"edit":   {"PATCH", "/channels/{channel_id}/messages/{message_id}"},
	"delete": {"DELETE", "/channels/{channel_id}/messages/{message_id}"},

	"webhooks":          {"GET", "/channels/{channel_id}/webhooks"},
	"create webhook":    {"POST", "/channels/{channel_id}/webhooks"},
	"webhook":           {"POST", "/webhooks/{webhook_id}/{webhook_token}"},
	"edit by webhook":   {"PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"},
	"delete by webhook": {"DELETE", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"},
	"typing":            {"POST", "/channels/{channel_id}/typing"},
}

func (st *step) arm(text string) error {
	if err := json.Unmarshal([]byte(text), &st.fault); err != nil {
		return err
	}
	if r, ok := routes[st.fault.Route]; ok {
		st.fault.Method, st.fault.Route = r[0], r[1]
	}
	return nil
}

// unescape reads the escapes of a Go string and the repetitions; a text with other backslashes is taken as it is.
func unescape(text string) string {
	var quoted strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '"' && (i == 0 || text[i-1] != '\\') {
			quoted.WriteByte('\\')
		}
		quoted.WriteByte(text[i])
	}
	if plain, err := strconv.Unquote(`"` + quoted.String() + `"`); err == nil {
		text = plain
	}
	return repeated.ReplaceAllStringFunc(text, func(s string) string {
		m := repeated.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[2])
		if m[1] == "long" {
			return long(n)
		}
		return strings.Repeat(m[3], n)
	})
}

var repeated = regexp.MustCompile(`\{(long|repeat) (\d+) ?([^}]*)\}`)

// long is n characters of words without a line break.
func long(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		fmt.Fprintf(&b, "word%d ", i)
	}
	return b.String()[:n]
}

// personas makes the cast of the settings.
func personas(names []json.RawMessage) ([]persona.Persona, error) {
	var out []persona.Persona
	for _, raw := range names {
		var name string
		var p persona.Persona
		if json.Unmarshal(raw, &name) == nil {
			p = card(name)
		} else if err := json.Unmarshal(raw, &p); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func card(name string) persona.Persona {
	id := strings.ToLower(name)
	if id == "mira" {
		return persona.Demo()
	}
	p := persona.Persona{ID: id, Name: strings.ToUpper(id[:1]) + id[1:], Triggers: []string{id}}
	if id == "teo" {
		p.Description, p.Personality = "{{char}} keeps the ferry at Orrin Quay.", "He says little, and waves much."
	}
	return p
}

// authors are the people of the story, for the simulator.
func (s *story) authors() []string {
	all := []string{"ana", "ben", "chiyo"}
	for _, e := range s.events {
		if e.verb == "say" && e.say.Author != "clockwork" && !slices.Contains(all, e.say.Author) {
			all = append(all, e.say.Author)
		}
	}
	return all
}
