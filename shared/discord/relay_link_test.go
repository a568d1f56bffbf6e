package discord_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
)

// A gateway that accepts and says nothing does not hold up the end of the program.
func TestToldToStopBeforeHello(t *testing.T) {
	pipes(t, func(t *testing.T, play func(script, func(context.Context, chat.Event) error) *running) {
		opened, codes := make(chan struct{}, 10), make(chan int, 10)
		g := play(func(p *peer) {
			opened <- struct{}{}
			codes <- p.code()
		}, nil)
		<-opened
		later(time.Second)
		began := time.Now()
		if err := g.end(); err != nil {
			t.Error(err)
		}
		if d := time.Since(began); d > 2*time.Second {
			t.Errorf("the end took %v", d)
		}
		if c := <-codes; c != 4000 {
			t.Errorf("closed with %d", c)
		}
	})
}

// Who does not know its own id takes its own messages for news, and would answer itself. And behind a number that no session
// reaches every event would be taken for old.
func TestAReadyThatCannotBe(t *testing.T) {
	for name, user := range map[string]string{"no id": `{}`, "no snowflake": `{"id":"x"}`, "a number": `{"id":5}`, "empty": `{"id":""}`, "the last number": `{"id":"9"}`} {
		t.Run(name, func(t *testing.T) {
			gate(t, func(f *front, p *peer, _ bool, _ int) {
				if len(f.started()) > 1 {
					p.session(true)
					p.beatUntilClosed()
					return
				}
				if name == "the last number" {
					p.seq = 1 << 31
				}
				p.event("READY", `{"session_id":"s","user":`+user+`}`)
				p.say(5, "our own echo")
				f.codes <- p.beatUntilClosed()
			}, func(t *testing.T, f *front) {
				g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
				if me := <-g.ready; me.ID != "9" {
					t.Errorf("ready as %+v", me)
				}
				<-f.codes // the first connection has ended
				if len(f.started()) != 2 || f.resumes != 0 {
					t.Errorf("%d sessions, %d resumes", len(f.started()), f.resumes)
				}
				g.none("of no session")
				g.end()
			})
		})
	}
}

// The patience with a gateway that gives no session is ours, however seldom it wants to hear from us.
func TestNoSessionAndAnHourBetweenBeats(t *testing.T) {
	pipes(t, func(t *testing.T, play func(script, func(context.Context, chat.Event) error) *running) {
		opened := make(chan time.Time, 10)
		play(func(p *peer) {
			opened <- time.Now()
			p.hello(3600_000)
			p.code()
		}, nil)
		first := <-opened
		if d := (<-opened).Sub(first); d > 3*time.Minute {
			t.Errorf("left after %v", d)
		}
	})
}

// While what a resume repeats finds no room, RESUMED is not read. The connection is not to blame.
func TestAResumeThatFindsNoRoom(t *testing.T) {
	gate(t, func(f *front, p *peer, fresh bool, _ int) {
		if fresh {
			p.session(true)
			p.write(`{"op":7}`)
			p.code()
			return
		}
		var reading sync.WaitGroup
		reading.Go(func() {
			for p.op(1) != nil {
				continue // nobody would read the answer
			}
		})
		p.say(5, "repeated")
		p.session(false)
		reading.Wait()
	}, func(t *testing.T, f *front) {
		g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
		<-g.ready
		g.spool.block(true)
		<-g.lost
		later(time.Hour)
		g.spool.block(false)
		if got := g.texts(1); got[0] != "repeated" {
			t.Errorf("got %v", got)
		}
		<-g.ready
		if len(f.started()) != 1 || f.resumes != 1 || len(g.lost) != 0 {
			t.Errorf("%d sessions, %d resumes, lost %d times more", len(f.started()), f.resumes, len(g.lost))
		}
		g.end()
	})
}
