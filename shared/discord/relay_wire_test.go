package discord_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
)

// at sends an event under a sequence number of its own.
func (p *peer) at(seq int, text string) {
	p.write(fmt.Sprintf(`{"op":0,"s":%d,"t":"MESSAGE_CREATE","d":{"id":"%d","channel_id":"1","content":%q,"author":{"id":"5","username":"ana"}}}`, seq, 1000+seq, text))
}

// An event that does not arrive is asked for again, from the last one that came in order.
func TestALostEventIsAskedForAgain(t *testing.T) {
	gate(t, func(f *front, p *peer, fresh bool, _ int) {
		if fresh {
			p.readyAt("/") // 1
			p.at(2, "a")
			p.at(2, "a again")
			p.at(4, "c")
			f.codes <- p.code()
			return
		}
		for i, text := range []string{"b", "c"} {
			p.at(p.seq+1+i, text)
		}
		p.seq += 2
		p.session(false)
		p.beatUntilClosed()
	}, func(t *testing.T, f *front) {
		g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
		if got := g.texts(3); !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("got %v", got)
		}
		if c := <-f.codes; c != 4000 || len(f.started()) != 1 || f.resumes != 1 {
			t.Errorf("closed with %d, %d sessions, %d resumes", c, len(f.started()), f.resumes)
		}
		g.none("twice")
		g.end()
	})
}

// A session may live for days: each of its lost events is asked for again.
func TestEveryLostEventIsAskedForAgain(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		g := w.run(t, true, nil)
		<-g.ready
		const losses = 8
		for i := range losses {
			w.arm(simdiscord.Fault{Kind: simdiscord.FaultLostEvent})
			lost, next := fmt.Sprint("lost ", i), fmt.Sprint("next ", i)
			w.Say("lounge", "ana", lost)
			w.Say("hall", "ben", next)
			if got := g.texts(2); !slices.Equal(got, []string{lost, next}) {
				t.Fatalf("got %v", got)
			}
			later(20 * time.Minute)
		}
		if s := w.State().Gateway; s.Identifies != 1 || s.Resumes != losses {
			t.Errorf("%+v", s)
		}
		g.end()
	})
}

// What comes between a lost event and the next does not hide the loss.
func TestALostEventBehindAnAccident(t *testing.T) {
	for _, kind := range []simdiscord.FaultKind{simdiscord.FaultOversized, simdiscord.FaultGarbled, simdiscord.FaultNull, simdiscord.FaultDrop, simdiscord.FaultReconnect} {
		t.Run(string(kind), func(t *testing.T) {
			bubble(t, contentOn(), func(t *testing.T, w *world) {
				g := w.run(t, true, nil)
				<-g.ready
				w.arm(simdiscord.Fault{Kind: simdiscord.FaultLostEvent})
				w.Say("lounge", "ana", "lost")
				w.arm(simdiscord.Fault{Kind: kind})
				w.Say("lounge", "ana", "next")
				if got := g.texts(2); !slices.Equal(got, []string{"lost", "next"}) {
					t.Errorf("got %v", got)
				}
				g.end()
			})
		})
	}
}

// Resuming does not always help. Then a new session begins, and what did not arrive is read from its channel.
func TestALostEventThatNeverComes(t *testing.T) {
	var ids [3]string
	words := []string{"a", "b, which never comes", "c"}
	say := func(p *peer, seq, i int) {
		p.write(fmt.Sprintf(`{"op":0,"s":%d,"t":"MESSAGE_CREATE","d":{"id":%q,"channel_id":"11","guild_id":"1","content":%q,"author":{"id":"5","username":"ana"}}}`,
			seq, ids[i], words[i]))
	}
	gate(t, func(f *front, p *peer, fresh bool, _ int) {
		if fresh {
			p.event("READY", fmt.Sprintf(`{"session_id":"s%d","resume_gateway_url":"ws://%s","user":{"id":"9","username":"bot"},"guilds":[{"id":"1","unavailable":true}]}`, p.n, p.host))
			p.event("GUILD_CREATE", fmt.Sprintf(`{"id":"1","channels":[{"id":"11","type":0,"last_message_id":%q}],"threads":[]}`, ids[2]))
		}
		if len(f.started()) == 1 {
			if fresh {
				say(p, 3, 0)
			}
			say(p, 5, 2)
			p.code()
			return
		}
		p.beatUntilClosed()
	}, func(t *testing.T, f *front) {
		for i := range ids {
			ids[i] = chat.Snowflake(time.Now().Add(time.Duration(i) * time.Second))
		}
		f.serve = func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, "/channels/11/messages") {
				return false
			}
			var page []string
			for i := range ids {
				page = append(page, fmt.Sprintf(`{"id":%q,"channel_id":"11","content":%q,"author":{"id":"5","username":"ana"}}`, ids[2-i], words[2-i]))
			}
			fmt.Fprintf(w, "[%s]", strings.Join(page, ","))
			return true
		}
		g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
		if got := g.texts(4); !slices.Equal(got, append([]string{"a"}, words...)) { // from a minute before the last that came
			t.Errorf("got %v", got)
		}
		later(time.Hour)
		if len(f.started()) != 2 || f.resumes != 3 {
			t.Errorf("%d sessions, %d resumes", len(f.started()), f.resumes)
		}
		g.none("after what was missed")
		g.end()
	})
}

// B130: what one connection did not answer is no debt of the next.
func TestAMissedAckIsForgottenWithItsSocket(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		g := w.run(t, true, nil)
		<-g.ready
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultWithholdAcks})
		<-g.lost
		<-g.ready
		later(time.Hour)
		if s := w.State().Gateway; s.Identifies != 1 || s.Resumes != 1 || len(g.lost) != 0 {
			t.Errorf("%+v, lost %d times", s, len(g.lost))
		}
		g.end()
	})
}

// A heartbeat that Discord asks for, right before one of ours, is not taken for one that got no answer.
func TestABeatOnDemandIsNoMissedAck(t *testing.T) {
	gate(t, func(_ *front, p *peer, fresh bool, _ int) {
		p.session(fresh)
		for n := 0; p.op(1) != nil; n++ {
			p.write(`{"op":1}`) // and one is sent back before anything is answered
			if p.op(1) == nil {
				return
			}
			p.write(`{"op":11}`)
		}
	}, func(t *testing.T, f *front) {
		g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
		<-g.ready
		later(time.Hour)
		if len(g.lost) != 0 {
			t.Errorf("lost %d times", len(g.lost))
		}
		g.end()
	})
}

// B131: a session that Discord keeps calling resumable, without resuming it, is given up.
func TestResumesThatLeadNowhere(t *testing.T) {
	gate(t, func(f *front, p *peer, fresh bool, _ int) {
		if fresh && len(f.started()) > 1 {
			p.session(true)
			p.beatUntilClosed()
			return
		}
		if fresh {
			p.session(true)
		}
		p.write(`{"op":9,"d":true}`)
		p.code()
	}, func(t *testing.T, f *front) {
		g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
		<-g.ready
		<-g.ready
		if len(f.started()) != 2 || f.resumes != 5 {
			t.Errorf("%d sessions, %d resumes", len(f.started()), f.resumes)
		}
		g.end()
	})
}

// As long as the spool has no room nobody reads. Discord may end the session for it, and then what was missed is read:
// nothing is lost, and what comes twice the queue knows by its id.
func TestASpoolWithoutRoom(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		g := w.run(t, true, nil)
		<-g.ready
		g.spool.block(true)
		for i := range 500 {
			w.Say("lounge", "ana", fmt.Sprint(i))
		}
		later(10 * time.Minute)
		g.spool.block(false)
		seen := map[chat.EventID]bool{}
		for len(seen) < 500 {
			e := g.next()
			if !seen[e.ID] && e.Text != fmt.Sprint(len(seen)) {
				t.Errorf("event %d is %q", len(seen), e.Text)
			}
			seen[e.ID] = true
		}
		g.end()
	})
}

// What happens to channels and guilds is told, an outage is not.
func TestGatewayForwardsChannelsAndGuilds(t *testing.T) {
	gate(t, func(_ *front, p *peer, fresh bool, _ int) {
		p.session(fresh)
		p.event("CHANNEL_UPDATE", `{"id":"11","guild_id":"1","type":0,"name":"x"}`)
		p.event("CHANNEL_DELETE", `{"id":"12","guild_id":"1"}`)
		p.event("THREAD_UPDATE", `{"id":"13","guild_id":"1","parent_id":"11"}`)
		p.event("THREAD_DELETE", `{"id":"14","guild_id":"1"}`)
		p.event("GUILD_UPDATE", `{"id":"1","name":"x"}`)
		p.event("GUILD_DELETE", `{"id":"2","unavailable":true}`)
		p.event("GUILD_DELETE", `{"id":"3"}`)
		p.event("CHANNEL_UPDATE", `{"id":5}`)
		p.event("GUILD_DELETE", `{"id":"x"}`)
		p.event("MESSAGE_DELETE_BULK", `{"ids":["21","22"],"channel_id":"11","guild_id":"1"}`)
		p.beatUntilClosed()
	}, func(t *testing.T, f *front) {
		g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
		for _, want := range []chat.Event{
			{What: chat.ChannelUpdated, ID: "11", Channel: "11", Guild: "1"},
			{What: chat.ChannelDeleted, ID: "12", Channel: "12", Guild: "1"},
			{What: chat.ChannelUpdated, ID: "13", Channel: "13", Guild: "1"},
			{What: chat.ChannelDeleted, ID: "14", Channel: "14", Guild: "1"},
			{What: chat.GuildUpdated, ID: "1", Guild: "1"},
			{What: chat.GuildDeleted, ID: "3", Guild: "3"},
			{What: chat.Deleted, ID: "21", Channel: "11", Guild: "1"},
			{What: chat.Deleted, ID: "22", Channel: "11", Guild: "1"},
		} {
			e := g.next()
			e.At = time.Time{}
			if e != want {
				t.Errorf("got %+v, want %+v", e, want)
			}
		}
		g.end()
	})
}
