package discord_test

import (
	"fmt"
	"slices"
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

// Resuming does not always help. Then what comes is better than nothing.
func TestALostEventThatNeverComes(t *testing.T) {
	gate(t, func(f *front, p *peer, fresh bool, _ int) {
		if fresh {
			p.readyAt("/")
		}
		p.at(3, "after the gap")
		p.seq = 3
		if !fresh {
			p.session(false)
		}
		p.beatUntilClosed()
	}, func(t *testing.T, f *front) {
		g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
		if got := g.texts(1); got[0] != "after the gap" {
			t.Errorf("got %v", got)
		}
		later(time.Hour)
		if len(f.started()) != 1 || f.resumes != 3 {
			t.Errorf("%d sessions, %d resumes", len(f.started()), f.resumes)
		}
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
