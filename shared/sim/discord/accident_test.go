package discord_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestEventsUnderFaults: what arrives, in which order, and what a RESUME from the beginning brings.
func TestEventsUnderFaults(t *testing.T) {
	one := 1
	for name, c := range map[string]struct {
		faults   []simdiscord.Fault
		live     string // the letters that arrive while a to f are said
		replayed string
	}{
		"none":                       {nil, "abcdef", "abcdef"},
		"missing":                    {[]simdiscord.Fault{{Kind: simdiscord.FaultMissing, After: 1}}, "acdef", "acdef"},
		"lost on the wire":           {[]simdiscord.Fault{{Kind: simdiscord.FaultLostEvent, After: 1, Count: 2}}, "adef", "abcdef"},
		"duplicate":                  {[]simdiscord.Fault{{Kind: simdiscord.FaultDuplicate, After: 2}}, "abccdef", "abccdef"},
		"held for one":               {[]simdiscord.Fault{{Kind: simdiscord.FaultReorder}}, "bacdef", "bacdef"},
		"held for three":             {[]simdiscord.Fault{{Kind: simdiscord.FaultReorder, Next: 3}}, "bcdaef", "bcdaef"},
		"two held":                   {[]simdiscord.Fault{{Kind: simdiscord.FaultReorder, Next: 2, Count: 2}}, "cdabef", "cdabef"},
		"another event":              {[]simdiscord.Fault{{Kind: simdiscord.FaultMissing, Event: "MESSAGE_DELETE"}}, "abcdef", "abcdef"},
		"another shard":              {[]simdiscord.Fault{{Kind: simdiscord.FaultMissing, Shard: &one}}, "abcdef", "abcdef"},
		"never with probability":     {[]simdiscord.Fault{{Kind: simdiscord.FaultMissing, Probability: 1e-9}}, "abcdef", "abcdef"},
		"lost and duplicate":         {[]simdiscord.Fault{{Kind: simdiscord.FaultLostEvent}, {Kind: simdiscord.FaultDuplicate, After: 1}}, "bbcdef", "abbcdef"},
		"null between":               {[]simdiscord.Fault{{Kind: simdiscord.FaultNull, Event: "MESSAGE_CREATE", Count: 2}}, "a0b0cdef", "abcdef"},
		"half a JSON between":        {[]simdiscord.Fault{{Kind: simdiscord.FaultGarbled, Count: 1}}, "a!bcdef", "abcdef"},
		"a giant between":            {[]simdiscord.Fault{{Kind: simdiscord.FaultOversized, Bytes: 100_000, Count: 1}}, "a#bcdef", "abcdef"},
		"op 7 between":               {[]simdiscord.Fault{{Kind: simdiscord.FaultReconnect, After: 1}}, "ab7cdef", "abcdef"},
		"op 9, the session lives":    {[]simdiscord.Fault{{Kind: simdiscord.FaultInvalid, Resumable: true, After: 1}}, "ab9cdef", "abcdef"},
		"drop after the second":      {[]simdiscord.Fault{{Kind: simdiscord.FaultDrop, After: 1}}, "ab|", "abcdef"},
		"close after the second":     {[]simdiscord.Fault{{Kind: simdiscord.FaultClose, Code: 4000, After: 1}}, "ab|", "abcdef"},
		"half open after the second": {[]simdiscord.Fault{{Kind: simdiscord.FaultHalfOpen, After: 1}}, "ab", "abcdef"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, simdiscord.Options{NoLimits: true}, func(t *testing.T, l *line) {
				g := l.gateway()
				session := g.login(withContent)
				start := g.until("GUILD_CREATE").S
				for _, f := range c.faults {
					l.arm(f)
				}
				for _, letter := range "abcdef" {
					l.Say("hall", "ana", string(letter))
				}
				if got := g.letters(); got != c.live {
					t.Errorf("live %q, want %q", got, c.live)
				}
				again := l.gateway()
				again.send(resume(session, start))
				if got := again.letters(); got != c.replayed+"R" {
					t.Errorf("replayed %q, want %q", got, c.replayed+"R")
				}
			})
		})
	}
}

// letters reads until nothing comes for a second: the contents of messages, R for RESUMED, digits for opcodes, 0 for null, # for a
// giant, ! for what is no JSON, | for the end.
func (c *raw) letters() string {
	var all strings.Builder
	for {
		c.ws.SetReadDeadline(time.Now().Add(time.Second))
		_, text, err := c.ws.ReadMessage()
		var g got
		switch timeout, is := err.(interface{ Timeout() bool }); {
		case is && timeout.Timeout():
			return all.String()
		case err != nil:
			return all.String() + "|"
		case string(text) == "null":
			all.WriteString("0")
		case json.Unmarshal(text, &g) != nil:
			all.WriteString("!")
		case g.Op != 0:
			fmt.Fprint(&all, g.Op)
		case g.T == "RESUMED":
			all.WriteString("R")
		case len(text) > 100_000:
			all.WriteString("#")
		default:
			all.WriteString(g.field("content"))
		}
	}
}

// TestSeededFaultsRepeat: the same seed loses the same events, another one others.
func TestSeededFaultsRepeat(t *testing.T) {
	play := func(seed uint64) (got string) {
		bubble(t, simdiscord.Options{Seed: seed, NoLimits: true}, func(t *testing.T, l *line) {
			c := l.gateway()
			c.login(withContent)
			c.until("GUILD_CREATE")
			for _, kind := range []simdiscord.FaultKind{simdiscord.FaultMissing, simdiscord.FaultDuplicate, simdiscord.FaultReorder} {
				l.arm(simdiscord.Fault{Kind: kind, Probability: 0.3, Count: -1})
			}
			for i := range 60 {
				l.Say("hall", "ana", string(rune('a'+i%26)))
			}
			l.ClearFaults()
			got = c.letters()
		})
		return got
	}
	first := play(7)
	if again := play(7); again != first {
		t.Errorf("seed 7 gave %q, then %q", first, again)
	}
	if other := play(8); other == first {
		t.Errorf("seeds 7 and 8 both gave %q", first)
	}
}

// TestDelayedEvents come after those that were sent meanwhile, and none comes after Close.
func TestDelayedEvents(t *testing.T) {
	bubble(t, simdiscord.Options{NoLimits: true}, func(t *testing.T, l *line) {
		c := l.gateway()
		c.login(withContent)
		l.arm(simdiscord.Fault{Kind: simdiscord.FaultDelay, DelayMS: 1500})
		l.Say("hall", "ana", "late")
		l.Say("hall", "ana", "first")
		if got := c.contents(1); got[0] != "first" {
			t.Errorf("first came %q", got)
		}
		pass(1400 * time.Millisecond)
		l.Say("hall", "ana", "second")
		if got := c.contents(2); !slices.Equal(got, []string{"second", "late"}) {
			t.Errorf("then came %q", got)
		}
		l.arm(simdiscord.Fault{Kind: simdiscord.FaultDelay, DelayMS: 3_600_000})
		l.Say("hall", "ana", "never")
	})
}

// TestHello: slow, never, and as ever for the next connection.
func TestHello(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, l *line) {
		l.arm(simdiscord.Fault{Kind: simdiscord.FaultSlowHello, DelayMS: 20_000})
		begun := time.Now()
		if c := l.gateway(); time.Since(begun) != 20*time.Second {
			t.Errorf("HELLO came after %v on %v", time.Since(begun), c)
		}
		l.arm(simdiscord.Fault{Kind: simdiscord.FaultNoHello})
		if !l.dial("/gateway").silent(time.Minute) {
			t.Error("HELLO came though it was withheld")
		}
		l.gateway()
	})
}

// TestReadyWithheld: the session exists and its heartbeats are answered, but no event comes on that connection.
func TestReadyWithheld(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, l *line) {
		l.arm(simdiscord.Fault{Kind: simdiscord.FaultNoReady})
		c := l.gateway()
		c.send(identify("simulated", withContent))
		c.send(`{"op":1,"d":null}`)
		if g := c.next(); g.Op != 11 {
			t.Errorf("got %+v", g)
		}
		l.Say("hall", "ana", "unheard")
		if !c.silent(10 * time.Second) {
			t.Error("an event came")
		}
		if g := l.State().Gateway; g.Identifies != 1 || g.Sessions != 1 {
			t.Errorf("counts %+v", g)
		}
		l.session(0, 1)
	})
}

// TestHalfOpen: nothing comes and nothing is heard, the socket stays open, and another connection resumes with everything; the dead one
// is cut then.
func TestHalfOpen(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, l *line) {
		c := l.gateway()
		session := c.login(withContent)
		c.until("GUILD_CREATE")
		l.arm(simdiscord.Fault{Kind: simdiscord.FaultHalfOpen})
		l.Say("hall", "ana", "a")
		c.send(`{"op":1,"d":null}`)
		pass(10 * time.Second)
		c.send(`{"op":99}`) // not heard, so not punished
		again := l.dial("/gateway/resume?v=10&encoding=json")
		again.next()
		again.send(resume(session, c.seq))
		if got := again.letters(); got != "aR" {
			t.Errorf("resumed with %q", got)
		}
		if code := c.ending(); code != 0 {
			t.Errorf("the dead connection ended with %d", code)
		}
		if g := l.State().Gateway; g.Resumes != 1 || g.Elsewhere != 1 {
			t.Errorf("counts %+v", g)
		}
	})
}

// TestResumeOnAnotherConnection ends the older one, which gets nothing any more.
func TestResumeOnAnotherConnection(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, l *line) {
		c := l.gateway()
		session := c.login(withContent)
		c.until("GUILD_CREATE")
		again := l.gateway()
		again.send(resume(session, c.seq))
		pass(time.Millisecond) // it is resumed before anybody speaks
		l.Say("hall", "ana", "a")
		if got := again.letters(); got != "Ra" {
			t.Errorf("the new connection got %q", got)
		}
		if got := c.letters(); got != "|" {
			t.Errorf("the old connection got %q", got)
		}
		if g := l.State().Gateway; g.Elsewhere != 0 || g.Sessions != 1 || g.Shards[0].Connected != 1 {
			t.Errorf("counts %+v", g)
		}
	})
}

// TestResumeHasBounds: in time, in number, and in what a client may ask for.
func TestResumeHasBounds(t *testing.T) {
	for name, c := range map[string]struct {
		away   time.Duration
		missed int
		back   int64 // asks for so many more than it missed
		want   string
	}{
		"at once":               {0, 2, 0, "abR"},
		"in the last moment":    {3 * time.Minute, 2, 0, "abR"},
		"too late":              {3*time.Minute + time.Second, 2, 0, "9"},
		"all that is kept":      {0, 5, 0, "abcdeR"},
		"one more than is kept": {0, 6, 0, "9"},
		"what it has already":   {0, 3, 2, "abcR"}, // READY and GUILD_CREATE are replayed too
		"from the future":       {0, 0, -3, "|"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, simdiscord.Options{ReplayKept: 5, NoLimits: true}, func(t *testing.T, l *line) {
				g := l.gateway()
				session := g.login(withContent)
				g.until("GUILD_CREATE")
				l.arm(simdiscord.Fault{Kind: simdiscord.FaultDrop})
				g.ending()
				for i := range c.missed {
					l.Say("hall", "ana", string(rune('a'+i)))
				}
				pass(c.away)
				again := l.gateway()
				again.send(resume(session, g.seq-c.back))
				if got := again.letters(); got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			})
		})
	}
}

// TestIntentSwitchedOff (B137): 4003 on the running connection, 4014 for the next IDENTIFY, and no session to resume.
func TestIntentSwitchedOff(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, l *line) {
		c, without := l.gateway(), l.gateway()
		session := c.login(withContent)
		without.login(guildsAndMessages)
		l.arm(simdiscord.Fault{Kind: simdiscord.FaultIntentOff})
		if code := c.ending(); code != 4003 {
			t.Errorf("first %d", code)
		}
		again := l.gateway()
		again.send(resume(session, c.seq))
		if g := again.next(); g.Op != 9 {
			t.Errorf("resume: %+v", g)
		}
		again.send(identify("simulated", withContent))
		if code := again.ending(); code != 4014 {
			t.Errorf("then %d", code)
		}
		l.Say("dm:ana", "ana", "still")
		if got := without.contents(1); got[0] != "still" {
			t.Errorf("who did not use it got %q", got)
		}
	})
}

// TestNoSessionsLeft: GET /gateway/bot says so, and until when.
func TestNoSessionsLeft(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, l *line) {
		l.arm(simdiscord.Fault{Kind: simdiscord.FaultNoSessions, DelayMS: 60_000})
		a := l.rest("GET", "/gateway/bot", "")
		if a.field("session_start_limit.remaining") != "0" || a.field("session_start_limit.reset_after") != "60000" {
			t.Errorf("%s", a.text)
		}
		if a := l.rest("GET", "/gateway/bot", ""); a.field("session_start_limit.remaining") != "1000" {
			t.Errorf("the next time %s", a.text)
		}
	})
}

// TestDispatches: for each session, what it got of each message, in order, and what was never sent.
func TestDispatches(t *testing.T) {
	bubble(t, simdiscord.Options{NoLimits: true}, func(t *testing.T, l *line) {
		c := l.session(0, 1)
		c.until("GUILD_CREATE")
		l.arm(simdiscord.Fault{Kind: simdiscord.FaultMissing, After: 1})
		l.arm(simdiscord.Fault{Kind: simdiscord.FaultLostEvent, After: 3})
		l.arm(simdiscord.Fault{Kind: simdiscord.FaultReorder, After: 4})
		names := map[string]string{}
		for _, letter := range "abcdef" {
			names[l.Say("hall", "ana", string(letter)).ID] = string(letter)
		}
		var told []string
		for _, d := range l.Dispatches() {
			told = append(told, fmt.Sprint(d.Event, " ", names[d.Message], " ", d.Seq, " ", d.Way))
		}
		want := []string{
			"READY  1 sent", "GUILD_CREATE  2 sent", "MESSAGE_CREATE a 3 sent", "MESSAGE_CREATE b 0 missing", "MESSAGE_CREATE c 4 sent",
			"MESSAGE_CREATE d 5 lost", "MESSAGE_CREATE f 6 sent", "MESSAGE_CREATE e 7 sent",
		}
		if !slices.Equal(told, want) {
			t.Errorf("told %q\nwant %q", told, want)
		}
	})
}

// TestTimeouts: no answer comes until the caller leaves; the change was made, or was not.
func TestTimeouts(t *testing.T) {
	for kind, made := range map[simdiscord.FaultKind]int{simdiscord.FaultTimeout: 0, simdiscord.FaultTimeoutAfter: 1} {
		bubble(t, simdiscord.Options{}, func(t *testing.T, l *line) {
			l.arm(simdiscord.Fault{Kind: kind})
			l.http.Timeout = time.Minute
			begun := time.Now()
			a := l.rest("POST", messages(l.State().Hall), `{"content":"x"}`)
			if timeout, is := a.err.(interface{ Timeout() bool }); !is || !timeout.Timeout() || time.Since(begun) != time.Minute {
				t.Errorf("%s: %v after %v", kind, a.err, time.Since(begun))
			}
			if n := len(l.Messages("hall")); n != made {
				t.Errorf("%s: %d messages were made", kind, n)
			}
			if a := l.rest("GET", "/users/@me", ""); a.status != 200 {
				t.Errorf("%s: afterwards %d", kind, a.status)
			}
		})
	}
}
