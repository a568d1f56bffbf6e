package store_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// The invariants of the model's README. Some are checked at every write and call of Discord, the rest at rest.

type fault struct {
	n   int
	why string
}

// judge watches a world.
type judge struct {
	w       *world
	faults  []fault
	stopped map[chat.EventID]bool // holds for which a stop was accepted
	charged map[chat.EventID]int
	place   map[chat.EventID]rank       // of waiting events
	known   map[turnID][]chat.MessageID // what heads have had as parts of the turn
	mailed  int
	writes  int
}

// rank is a place in the mailbox: the answer to a stop, a follow-up, the rest in order.
type rank struct{ class, order int }

func (j *judge) begin(w *world) {
	*j = judge{w: w, stopped: map[chat.EventID]bool{}, charged: map[chat.EventID]int{}, known: map[turnID][]chat.MessageID{}, place: map[chat.EventID]rank{}}
}

func (j *judge) broke(n int, format string, args ...any) {
	f := fault{n, fmt.Sprintf(format, args...)}
	j.faults = append(j.faults, f)
	j.w.note("BROKEN I%d: %s", n, f.why)
}

// breaks tells whether an invariant was broken.
func (j *judge) breaks(n int) bool {
	for _, f := range j.faults {
		if f.n == n {
			return true
		}
	}
	return false
}

// speaks is asked at each call of Discord that changes something: I4, nobody speaks without holding the channel.
func (j *judge) speaks(p *proc, what string) {
	h := j.w.get("head")
	if h.Int("fence") != p.fence || chat.Phase(h.String("phase")) != chat.Speaking || h.String("event") != string(p.job.Event) {
		j.broke(4, "%s %s with fence %d, the head is %s with fence %d", p.name, what, p.fence, h.String("phase"), h.Int("fence"))
	}
}

// before reads what a write is going to change.
func (j *judge) before(ops []kv.Op) map[kv.Key]kv.Item {
	var keys []kv.Key
	for _, op := range ops {
		if !slices.Contains(keys, op.Key) {
			keys = append(keys, op.Key)
		}
	}
	items, err := j.w.store.BatchGet(context.Background(), keys...)
	if err != nil {
		panic(err)
	}
	got := map[kv.Key]kv.Item{}
	for _, item := range items {
		got[item.Key] = item
	}
	return got
}

// wrote is called after each write that was done.
func (j *judge) wrote(p *proc, ops []kv.Op, was map[kv.Key]kv.Item) {
	j.writes++
	popped := ""
	for _, op := range ops {
		switch sort := op.Key.Sort; {
		case op.Verb == kv.Check:
		case sort == "head":
			j.head(p, op)
			j.decides(p, op, was[op.Key])
		case strings.HasPrefix(sort, "event#"):
			j.row(op, was[op.Key])
			j.saved(p, op, was[op.Key])
		case strings.HasPrefix(sort, "mail#") && op.Verb == kv.Delete:
			popped = was[op.Key].String("event")
		}
	}
	j.mailbox(ops, chat.EventID(popped))
}

// messageID is the id of a part's message in a head.
var messageID = regexp.MustCompile(`"m":"(\d+)"`)

// head learns from a write to the head who acquired, that a stop was accepted, and who was charged.
func (j *judge) head(p *proc, op kv.Op) {
	if op.Set["owner"] != nil {
		p.fence, _ = op.Set["fence"].(int64)
		p.late = j.stopped[p.job.Event]
	}
	if kind, _ := op.Set["sigKind"].(string); chat.SignalKind(kind).Final() {
		hold, _ := op.Set["sigHold"].(string)
		j.stopped[chat.EventID(hold)] = true
	}
	if len(op.Add) > 0 {
		j.charge(p)
	}
	parts, _ := op.Set["parts"].([]byte)
	for _, m := range messageID.FindAllSubmatch(parts, -1) {
		if of, id := (turnID{p.job.Event, p.job.Turn}), chat.MessageID(m[1]); !slices.Contains(j.known[of], id) {
			j.known[of] = append(j.known[of], id)
		}
	}
}

// decides judges the writes by which a turn begins to speak and by which its answer is decided: I6, neither comes after a
// signal for the hold was accepted. Who did not see it in time is refused by the write itself.
func (j *judge) decides(p *proc, op kv.Op, was kv.Item) {
	if !was.Has("sigKind") {
		return
	}
	if named(op) == "head:intent" && !was.Has("parts") {
		j.broke(6, "%s begins to speak after a signal", p.name)
	}
	if fence, is := op.Set["text"].(int64); is {
		text := j.w.get(fmt.Sprintf("turn#%s#%02d#%d", was.String("event"), was.Int("turn"), fence))
		if text.String("ending") == string(chat.Answered) {
			j.broke(6, "%s decides on an answer after a signal", p.name)
		}
	}
}

// row judges a write to the ledger: a final row never changes.
func (j *judge) row(op kv.Op, was kv.Item) {
	now := op.Set["row"]
	if op.Verb == kv.Put {
		now = op.Attrs["row"]
		if now == string(chat.Mailed) {
			j.mailed++
			class := map[any]int{string(chat.StopAsk): 0, string(chat.FollowUp): 1}
			r := rank{2, j.mailed}
			if c, front := class[op.Attrs["kind"]]; front {
				r.class = c
			}
			j.place[chat.EventID(strings.TrimPrefix(op.Key.Sort, "event#"))] = r
		}
	}
	if old := chat.Row(was.String("row")); old.Final() && now != nil {
		j.broke(3, "the row of %s was %s and becomes %v", op.Key.Sort, old, now)
	}
}

func (j *judge) charge(p *proc) {
	if j.charged[p.job.Event]++; j.charged[p.job.Event] > 1 {
		j.broke(5, "%s charges %s again", p.name, j.w.name(p.job.Event))
	}
}

// saved judges the end of a turn: once (I2), and not as answered when it was stopped before it was acquired (I6).
func (j *judge) saved(p *proc, op kv.Op, was kv.Item) {
	for turn, row := range op.Set {
		if !strings.HasPrefix(turn, "turn#") {
			continue
		}
		if was.Has(turn) {
			j.broke(2, "%s saves %s of %s again", p.name, turn, op.Key.Sort)
		}
		if row == string(chat.Answered) && p.late {
			j.broke(6, "%s answered a turn that was stopped before it was acquired", p.name)
		}
	}
}

// mailbox judges what follows a write: a free channel has an empty mailbox, and what is popped was in front.
func (j *judge) mailbox(ops []kv.Op, popped chat.EventID) {
	head := ops[0]
	if head.Key.Sort != "head" || head.Verb == kv.Check {
		return
	}
	mail := j.w.list("mail#")
	if j.w.phase() == chat.Free && len(mail) > 0 {
		j.broke(3, "the channel is free and the mailbox is not empty")
	}
	if head.Set["phase"] != string(chat.WaitsPlan) || popped == "" {
		return
	}
	for _, m := range mail {
		id := chat.EventID(m.String("event"))
		a, b := j.place[popped], j.place[id]
		if cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.order, b.order)) > 0 {
			j.broke(4, "%s was answered before %s", j.w.name(popped), j.w.name(id))
		}
	}
}

// atRest tells whether nothing is under way.
func (w *world) atRest() bool {
	if w.arrived < len(w.kinds) || len(w.procs) > 0 || len(w.letters) > 0 || len(w.discord.flying) > 0 || w.phase() != chat.Free {
		return false
	}
	for _, q := range w.queues {
		if len(q.list) > 0 {
			return false
		}
	}
	return true
}

// rest judges a world in which nothing moves any more.
func (j *judge) rest() {
	w := j.w
	if !w.atRest() {
		j.broke(3, "nothing moves any more, and the channel is not at rest")
		return
	}
	if n := len(w.list("mail#")); n > 0 {
		j.broke(3, "%d events still wait", n)
	}
	if h := w.get("head"); h.Int("waiting") != 0 || h.Has(kv.DueAt) || h.Has("next") {
		j.broke(3, "the free head still says waiting=%d due=%v next=%v", h.Int("waiting"), h.Has(kv.DueAt), h.Has("next"))
	}
	for i, e := range w.events {
		if e.What != chat.Said || w.kinds[i] == 'K' {
			continue
		}
		row := w.get("event#" + string(e.ID))
		state := chat.Row(row.String("row"))
		switch {
		case !state.Final():
			n := 3
			if row.String("kind") == string(chat.StopAsk) {
				n = 6
			}
			j.broke(n, "%s has no final disposition: %q", w.name(e.ID), state)
		case row.Has("body"):
			j.broke(3, "%s is over and its words are still kept", w.name(e.ID))
		case state == chat.Answered && j.charged[e.ID] != 1:
			j.broke(5, "%s was answered and charged %d times", w.name(e.ID), j.charged[e.ID])
		}
		for turn := range 3 {
			j.visible(turnID{e.ID, turn}, state)
		}
	}
}

// visible checks one turn against what people see of it: I1. Parts are compared by their words, because where a text is cut
// its blanks are lost.
func (j *judge) visible(of turnID, row chat.Row) {
	w := j.w
	event := w.get("event#" + string(of.event))
	turn := w.get(fmt.Sprintf("turn#%s#%02d#%d", of.event, of.turn, event.Int(fmt.Sprintf("text#%02d", of.turn))))
	status, name := chat.Row(event.String(fmt.Sprintf("turn#%02d", of.turn))), w.turnName(of)
	recorded := map[chat.MessageID]bool{}
	var texts []string
	parts := slices.DeleteFunc(w.list("message#"), func(m kv.Item) bool {
		return m.String("event") != string(of.event) || m.Int("turn") != int64(of.turn) || m.Has("dropped")
	})
	slices.SortFunc(parts, func(a, b kv.Item) int { return cmp.Compare(a.Int("part"), b.Int("part")) })
	for _, part := range parts {
		id := chat.MessageID(strings.TrimPrefix(part.Key.Sort, "message#"))
		recorded[id] = true
		if m := w.discord.find(id); m != nil {
			texts = append(texts, m.Text)
		} else {
			j.broke(1, "turn %s has recorded a message that is not there", name)
		}
	}
	seen := 0
	for _, m := range w.discord.list {
		if m.of != of || m.by == nil || m.gone {
			continue
		}
		if seen++; !recorded[m.ID] && status != "" {
			j.broke(1, "turn %s left a message that no record knows", name)
		}
	}
	for _, id := range j.known[of] {
		if m := w.discord.find(id); m != nil && !recorded[id] && w.get("message#"+string(id)).Attrs == nil {
			j.broke(1, "turn %s has ended, and nobody knows whose its message is", name)
		}
	}
	switch {
	case seen > 1 && w.kind(of.event) != 'L':
		j.broke(1, "turn %s shows %d messages", name, seen)
	case status == "": // never begun, or ended by the undertaker, which does not touch Discord
	case status == chat.Answered && seen == 0:
		j.broke(1, "turn %s was saved and shows nothing", name)
	case seen > 0 && !slices.Equal(strings.Fields(strings.Join(texts, " ")), strings.Fields(turn.String("text"))):
		j.broke(1, "turn %s shows %q, saved is %q", name, texts, turn.String("text"))
	}
	if row == chat.Answered && status != chat.Answered && of.turn < w.planned(event) {
		j.broke(3, "%s counts as answered, its turn %d has no answer", w.name(of.event), of.turn)
	}
}

// planned counts the turns of a plan.
func (w *world) planned(item kv.Item) int {
	return strings.Count(string(item.Bytes("plan")), `"persona"`)
}

// gatedKV is one process's way to the store.
type gatedKV struct{ p *proc }

func sorts[T any](items []T, of func(T) string) string {
	var b strings.Builder
	for i, item := range items {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(of(item))
	}
	return b.String()
}

// Get is not used by the protocol's repositories, but is part of the contract.
func (g gatedKV) Get(ctx context.Context, key kv.Key) (item kv.Item, err error) {
	err = g.p.do(ctx, "kv get "+key.Sort, func() (err error) {
		item, err = g.p.w.store.Get(ctx, key)
		return err
	})
	return item, err
}

// BatchGet reads when the gate opens.
func (g gatedKV) BatchGet(ctx context.Context, keys ...kv.Key) (items []kv.Item, err error) {
	label := "kv read " + sorts(keys, func(k kv.Key) string { return k.Sort })
	err = g.p.do(ctx, label, func() (err error) {
		items, err = g.p.w.store.BatchGet(ctx, keys...)
		return err
	})
	return items, err
}

// Query reads when the gate opens.
func (g gatedKV) Query(ctx context.Context, q kv.Query) (page kv.Page, err error) {
	err = g.p.do(ctx, "kv query "+q.Prefix, func() (err error) {
		page, err = g.p.w.store.Query(ctx, q)
		return err
	})
	return page, err
}

// named is an operation in a label: its key, and for one on the head alone what it is for.
func named(op kv.Op) string {
	parts, _ := op.Set["parts"].([]byte)
	switch {
	case op.Verb == kv.Check:
		return "(" + op.Key.Sort + ")"
	case op.Key.Sort != "head":
	case op.Set["owner"] != nil:
		return "head:acquire"
	case op.Set["plan"] != nil:
		return "head:plan"
	case op.Set["text"] != nil:
		return "head:text"
	case bytes.Contains(parts, []byte(`"n":`)): // a nonce
		return "head:intent"
	case parts != nil:
		return "head:record"
	case op.Set["aliveAt"] != nil:
		return "head:beat"
	}
	return op.Key.Sort
}

// Write writes when the gate opens, under the eyes of the judge.
func (g gatedKV) Write(ctx context.Context, ops ...kv.Op) error {
	w := g.p.w
	label := "kv write " + sorts(ops, named)
	return g.p.do(ctx, label, func() error {
		was := w.judge.before(ops)
		err := w.store.Write(ctx, ops...)
		if err == nil {
			w.judge.wrote(g.p, ops, was)
		} else if errors.Is(err, kv.ErrCondition) {
			w.note("         refused: %v", err)
		}
		return err
	})
}

// Due lists when the gate opens.
func (g gatedKV) Due(ctx context.Context, space string, before time.Time, limit int) (items []kv.Item, err error) {
	err = g.p.do(ctx, "kv due", func() (err error) {
		items, err = g.p.w.store.Due(ctx, space, before, limit)
		return err
	})
	return items, err
}
