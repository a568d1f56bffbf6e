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

func identifyAs(token string, intents, shard, of int) string {
	b, _ := json.Marshal(map[string]any{"op": 2, "d": map[string]any{
		"token": token, "intents": intents, "shard": []int{shard, of}, "compress": true,
		"properties": map[string]string{"os": "x", "browser": "x", "device": "x"}}})
	return string(b)
}

// TestEventsGoToTheirShard: a guild's to (id>>22) mod n, direct messages to shard 0, and READY names shard and guilds.
func TestEventsGoToTheirShard(t *testing.T) {
	bubble(t, simdiscord.Options{Shards: 3}, func(t *testing.T, l *line) {
		var home int64
		fmt.Sscan(l.State().Guild.ID, &home)
		mine := int(home >> 22 % 3)
		var all []*raw
		for i := range 3 {
			c := l.gateway()
			c.send(identifyAs("simulated", withContent, i, 3))
			ready := c.until("READY")
			if got := ready.field("shard"); got != fmt.Sprintf("[%d,3]", i) {
				t.Errorf("READY of shard %d says %s", i, got)
			}
			if has := ready.field("guilds") != "[]"; has != (i == mine) {
				t.Errorf("shard %d has guilds %s", i, ready.field("guilds"))
			}
			all = append(all, c)
		}
		l.Say("hall", "ana", "guild")
		l.Say("dm:ana", "ana", "direct")
		want := make([][]string, 3)
		want[mine] = append(want[mine], "guild")
		want[0] = append(want[0], "direct")
		for i, c := range all {
			if got := c.contents(len(want[i])); !slices.Equal(got, want[i]) {
				t.Errorf("shard %d got %q, want %q", i, got, want[i])
			}
			if !c.silent(time.Second) {
				t.Errorf("shard %d got more than %q", i, want[i])
			}
		}
		shards := l.State().Gateway.Shards
		if len(shards) != 3 || shards[2] != (simdiscord.ShardState{Shard: 2, Of: 3, Sessions: 1, Connected: 1}) {
			t.Errorf("shards %+v", shards)
		}
	})
}

// TestREADYWithoutShard: who does not name a shard is not told one.
func TestREADYWithoutShard(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, l *line) {
		c := l.gateway()
		c.send(identify("simulated", guildsAndMessages))
		if ready := c.until("READY"); ready.field("shard") != "" || !strings.HasSuffix(ready.field("resume_gateway_url"), "/gateway/resume") {
			t.Errorf("ready %s", ready.D)
		}
	})
}

// TestTwoSessionsOfOneShard both get every event, as in a deploy without a gap.
func TestTwoSessionsOfOneShard(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, l *line) {
		a, b := l.session(0, 1), l.session(0, 1)
		id := l.Say("hall", "ana", "both").ID
		for _, c := range []*raw{a, b} {
			if g := c.until("MESSAGE_CREATE"); g.field("id") != id {
				t.Errorf("got %s", g.D)
			}
		}
		if g := l.State().Gateway; g.Sessions != 2 || g.Shards[0].Connected != 2 {
			t.Errorf("counts %+v", g)
		}
	})
}

func TestRefusedIdentify(t *testing.T) {
	for name, c := range map[string]struct {
		options simdiscord.Options
		say     string
		code    int
	}{
		"shard beyond the last":     {simdiscord.Options{}, identifyAs("simulated", 1, 2, 2), 4010},
		"negative shard":            {simdiscord.Options{}, identifyAs("simulated", 1, -1, 2), 4010},
		"too few shards":            {simdiscord.Options{MinShards: 2}, identifyAs("simulated", 1, 0, 1), 4011},
		"no shards where two must":  {simdiscord.Options{MinShards: 2}, identify("simulated", 1), 4011},
		"the token of another bot":  {simdiscord.Options{Token: "x"}, identify("simulated", 1), 4004},
		"resume with another token": {simdiscord.Options{Token: "x"}, resume("session1", 0), 4004},
		"heartbeat of 4097 bytes":   {simdiscord.Options{}, `{"op":1,"d":"` + strings.Repeat("x", 4097-14) + `"}`, 4002},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, c.options, func(t *testing.T, l *line) {
				g := l.gateway()
				g.send(c.say)
				if code := g.ending(); code != c.code {
					t.Errorf("closed with %d, want %d", code, c.code)
				}
			})
		})
	}
}

// TestZlibIsRefused: no client may take text for compressed frames.
func TestZlibIsRefused(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, l *line) {
		for _, query := range []string{"compress=zlib-stream", "encoding=etf"} {
			if _, answer, err := l.dialer.Dial("ws://localhost/gateway?v=10&"+query, nil); err == nil || answer == nil || answer.StatusCode != 400 {
				t.Errorf("%s: %v %v", query, answer, err)
			}
		}
	})
}

// TestMaxConcurrency: one IDENTIFY in five seconds at each place; more get op 9 false and cost nothing of the day.
func TestMaxConcurrency(t *testing.T) {
	bubble(t, simdiscord.Options{MaxConcurrency: 2}, func(t *testing.T, l *line) {
		if got := l.rest("GET", "/gateway/bot", "").field("session_start_limit.max_concurrency"); got != "2" {
			t.Errorf("announced %s", got)
		}
		l.session(0, 4)
		l.session(1, 4) // another place
		c := l.gateway()
		c.send(identifyAs("simulated", guildsAndMessages, 2, 4)) // the place of 0
		if g := c.next(); g.Op != 9 || string(g.D) != "false" {
			t.Fatalf("third in a row: %+v", g)
		}
		pass(5 * time.Second)
		c.send(identifyAs("simulated", guildsAndMessages, 2, 4))
		c.until("READY")
		if g := l.State().Gateway; g.Identifies != 3 || g.Remaining != 997 {
			t.Errorf("counts %+v", g)
		}
	})
}

// TestDayOfIdentifies: the number left is exact, comes back after a day, and the one after the last costs the token (bugs.md: a bot
// that identifies a thousand times).
func TestDayOfIdentifies(t *testing.T) {
	bubble(t, simdiscord.Options{Identifies: 3}, func(t *testing.T, l *line) {
		left := func() string { return l.rest("GET", "/gateway/bot", "").field("session_start_limit.remaining") }
		if left() != "3" {
			t.Errorf("left %s", left())
		}
		for range 3 {
			l.session(0, 1)
		}
		if left() != "0" {
			t.Errorf("left %s", left())
		}
		pass(24 * time.Hour)
		if left() != "3" {
			t.Errorf("a day later %s", left())
		}
		var alive []*raw
		for range 3 {
			alive = append(alive, l.session(0, 1))
		}
		c := l.gateway()
		c.send(identify("simulated", guildsAndMessages))
		for i, c := range append(alive, c) {
			if code := c.ending(); code != 4004 {
				t.Errorf("connection %d ends with %d", i, code)
			}
		}
		if a := l.rest("GET", "/users/@me", ""); a.status != 401 {
			t.Errorf("the old token still opens: %d", a.status)
		}
		if l.Token() == "simulated" || l.State().Gateway.Sessions != 0 {
			t.Errorf("token %s, %+v", l.Token(), l.State().Gateway)
		}
	})
}

// TestSendsOfAMinute: 120 are taken, the 121st ends the connection, and a minute later there are 120 again.
func TestSendsOfAMinute(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, l *line) {
		c := l.gateway()
		for range 2 {
			for range 120 {
				c.send(`{"op":1,"d":null}`)
				if g := c.next(); g.Op != 11 {
					t.Fatalf("got %+v", g)
				}
			}
			pass(time.Minute)
			c.send(`{"op":1,"d":null}`) // keeps the connection, and counts as the first of its minute
			c.next()
			pass(time.Minute)
		}
		for range 121 {
			c.send(`{"op":1,"d":null}`)
		}
		if code := c.ending(); code != 4008 {
			t.Errorf("closed with %d", code)
		}
	})
}
