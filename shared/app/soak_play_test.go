package app_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	simdiscord "tsumugi/shared/sim/discord"
)

// play is the ten minutes: each thing at its part of the time.
func (w *soakWorld) play() {
	part := func(tenths int) time.Duration {
		return time.Duration(w.p.minutes) * time.Minute * time.Duration(tenths) / 100
	}
	first := w.begin("first", "")
	w.until(15*time.Second, "the first relay is ready", func() bool { return w.begun("READY") >= 2 })
	for _, room := range w.rooms { // a first word everywhere, so that the relay knows the direct messages
		w.say(room)
	}
	time.Sleep(10 * time.Second)
	w.lose()

	ctx, stop := context.WithCancel(w.t.Context())
	var all sync.WaitGroup
	all.Go(func() { w.talk(ctx) })
	all.Go(func() { w.trouble(ctx) })
	w.setRough(true)
	w.arm()

	time.Sleep(part(15))
	w.away.Store(true)
	time.Sleep(part(7))
	left := first.kill() // with all that the queue did not take
	time.Sleep(part(3))
	w.away.Store(false)
	second := w.begin("second", left)
	time.Sleep(part(15))
	left = second.kill()
	time.Sleep(part(3))
	third := w.begin("third", left)
	time.Sleep(part(10))
	w.fault(simdiscord.Fault{Kind: simdiscord.FaultIntentOff}) // from here on without content
	time.Sleep(part(10))
	fourth := w.begin("fourth", "")
	time.Sleep(part(12))
	third.end()
	time.Sleep(part(20))

	stop()
	all.Wait()
	w.setRough(false)
	w.sim.ClearFaults()
	for _, room := range w.rooms { // a last word everywhere: a lost event is noticed by the next one of its session
		w.say(room)
	}
	time.Sleep(5 * time.Minute) // for what is read again at its low pace
	fourth.end()
	synctest.Wait()
}

// lose loses one event after the other of one session, which lives on: each is asked for again.
func (w *soakWorld) lose() {
	began := w.begun("READY")
	for range 5 {
		resumed := w.begun("RESUMED")
		w.fault(simdiscord.Fault{Kind: simdiscord.FaultLostEvent, Event: "MESSAGE_CREATE"})
		w.say(w.rooms[0])
		w.say(w.rooms[0]) // by this it is noticed
		w.until(2*time.Minute, "a lost event is asked for again", func() bool { return w.begun("RESUMED") > resumed })
		time.Sleep(10 * time.Second)
	}
	if n := w.begun("READY"); n != began {
		w.bad("%d new sessions were begun for events that a resume repeats", n-began)
	}
}

// fault causes or arms an accident.
func (w *soakWorld) fault(f simdiscord.Fault) {
	if err := w.sim.Fault(f); err != nil {
		w.bad("a fault was refused: %v", err)
	}
}

// until lets time pass until something holds.
func (w *soakWorld) until(limit time.Duration, what string, holds func() bool) {
	for end := time.Now().Add(limit); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("not within %s: %s", limit, what)
		}
	}
}

// say lets somebody say something in a room, in direct messages whose room it is.
func (w *soakWorld) say(room string) {
	author := w.people[w.roll(len(w.people))]
	for _, d := range w.sim.State().DMs {
		if d.ID == room {
			author = d.User
		}
	}
	if _, err := w.sim.Post(room, simdiscord.Saying{Author: author, Content: fmt.Sprint("words ", w.roll(1000))}); err != nil {
		w.bad("nobody could speak: %v", err)
	}
}

// talk lets people talk: most of them a little, some rooms much, and now and then many at once.
func (w *soakWorld) talk(ctx context.Context) {
	for ctx.Err() == nil {
		n := len(w.rooms)
		if w.roll(3) == 0 {
			n = max(n/8, 1) // some rooms are busier
		}
		room, times := w.rooms[w.roll(n)], 1
		if w.roll(60) == 0 {
			times = 5 + w.roll(20)
		}
		for range times {
			w.say(room)
			time.Sleep(time.Duration(w.roll(30)) * time.Millisecond)
		}
		time.Sleep(time.Duration(w.roll(20*1000/w.p.rate)) * time.Millisecond)
	}
}

// arm switches on what happens to events and to calls all the time.
func (w *soakWorld) arm() {
	const page = "/channels/{channel_id}/messages"
	for _, f := range []simdiscord.Fault{
		{Kind: simdiscord.FaultDuplicate, Event: "MESSAGE_CREATE", Probability: 0.02, Count: -1},
		{Kind: simdiscord.FaultLostEvent, Event: "MESSAGE_CREATE", Probability: 0.005, Count: -1},
		{Kind: simdiscord.FaultReorder, Event: "MESSAGE_CREATE", Probability: 0.01, Count: -1},
		{Kind: simdiscord.FaultDelay, Event: "MESSAGE_CREATE", Probability: 0.01, Count: -1, DelayMS: 2000},
		{Kind: simdiscord.FaultStatus, Method: "GET", Route: page, Probability: 0.05, Count: -1, Status: 503},
		{Kind: simdiscord.FaultRefused, Method: "GET", Route: page, Probability: 0.03, Count: -1},
		{Kind: simdiscord.FaultRateLimit, Method: "GET", Route: page, Probability: 0.03, Count: -1, RetryAfter: 2},
		{Kind: simdiscord.FaultStatus, Method: "GET", Route: "/gateway/bot", Probability: 0.1, Count: -1, Status: 500},
		{Kind: simdiscord.FaultNoSessions, Probability: 0.2, Count: -1, DelayMS: 4000},
	} {
		w.fault(f)
	}
}

// trouble disturbs a shard's connections every now and then.
func (w *soakWorld) trouble(ctx context.Context) {
	kinds := []simdiscord.Fault{
		{Kind: simdiscord.FaultDrop}, {Kind: simdiscord.FaultDrop}, {Kind: simdiscord.FaultHalfOpen}, {Kind: simdiscord.FaultReconnect},
		{Kind: simdiscord.FaultInvalid, Resumable: true}, {Kind: simdiscord.FaultInvalid},
		{Kind: simdiscord.FaultClose, Code: 4000}, {Kind: simdiscord.FaultClose, Code: 4003}, {Kind: simdiscord.FaultClose, Code: 4007}, {Kind: simdiscord.FaultClose, Code: 4008},
		{Kind: simdiscord.FaultClose, Code: 4009}, {Kind: simdiscord.FaultClose, Code: 1001},
		{Kind: simdiscord.FaultGarbled}, {Kind: simdiscord.FaultNull}, {Kind: simdiscord.FaultOversized},
		{Kind: simdiscord.FaultWithholdAcks, Count: 3}, {Kind: simdiscord.FaultNoHello}, {Kind: simdiscord.FaultSlowHello, DelayMS: 3000},
		{Kind: simdiscord.FaultNoReady},
	}
	for ctx.Err() == nil {
		f := kinds[w.roll(len(kinds))]
		if shard := w.roll(2); !strings.HasSuffix(string(f.Kind), "hello") {
			f.Shard = &shard
		}
		w.fault(f)
		time.Sleep(w.p.accident/2 + time.Duration(w.roll(int(w.p.accident.Milliseconds())))*time.Millisecond)
	}
}

// begun counts sessions by what they began with.
func (w *soakWorld) begun(event string) int {
	n := 0
	for _, d := range w.sim.Dispatches() {
		if d.Event == event {
			n++
		}
	}
	return n
}

// judge counts what became of everything that is in the history of a channel.
func (w *soakWorld) judge() soaked {
	out := soaked{identifies: w.begun("READY"), resumes: w.begun("RESUMED")}
	for _, c := range w.sim.Calls() {
		if c.Method == "GET" && (strings.Contains(c.Path, "/messages") || strings.Contains(c.Path, "/threads")) {
			out.reads++
		}
	}
	views := w.views()
	for _, room := range w.rooms {
		for _, m := range w.sim.AllMessages(room) {
			if m.Type != 0 && m.Type != 19 {
				continue
			}
			out.said++
			switch n := w.rows[m.ID]; {
			case n == 0:
				out.lost++
				out.wrong = append(out.wrong, fmt.Sprintf("lost: %s in %s, said at %s; %s", m.ID, room, m.Timestamp.Format("15:04:05.000"), views.of(m.ID)))
			case n > 1:
				out.doubled += n - 1
			}
		}
		order := w.orders[room]
		for i := 1; i < len(order); i++ {
			if !views.agree(order[i-1], order[i]) {
				out.reordered++
				out.wrong = append(out.wrong, fmt.Sprintf("reordered: %s (%s) before %s (%s) in %s", order[i-1], views.of(order[i-1]), order[i], views.of(order[i]), room))
			}
		}
	}
	if w.hidden == 0 {
		out.wrong = append(out.wrong, "the content intent was never off")
	}
	out.wrong = append(out.wrong, w.wrong...)
	return out
}

// views are the orders in which sessions were given messages: session, then message, its place.
type views map[string]map[string]int

func (w *soakWorld) views() views {
	v := views{}
	for i, d := range w.sim.Dispatches() {
		if d.Event != "MESSAGE_CREATE" || d.Way == simdiscord.WayMissing {
			continue
		}
		if v[d.Session] == nil {
			v[d.Session] = map[string]int{}
		}
		if _, twice := v[d.Session][d.Message]; !twice {
			v[d.Session][d.Message] = i
		}
	}
	return v
}

// agree tells whether a may come before b: in the order of the channel's history, in which a catch-up reads it, or in that of
// any session that was given both.
func (v views) agree(a, b string) bool {
	if byID(a, b) < 0 {
		return true
	}
	for _, places := range v {
		i, first := places[a]
		j, second := places[b]
		if first && second && i < j {
			return true
		}
	}
	return false
}

// of says which sessions were given a message.
func (v views) of(message string) string {
	var all []string
	for session, places := range v {
		if i, ok := places[message]; ok {
			all = append(all, fmt.Sprintf("%s as %d", session, i))
		}
	}
	if all == nil {
		return "given to no session"
	}
	return "given to " + strings.Join(all, ", ")
}
