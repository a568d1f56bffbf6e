package discord_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
)

// The faults of discordgo that were measured (reference, Discord, section 2), and the tests that hold this package to better:
//
//	 1 order of events               TestGatewayKeepsTheOrder
//	 2 a dead peer, and code 1000    TestGatewayNoticesADeadPeer, TestGatewayCloseCodes, TestAMissedAckIsForgottenWithItsSocket
//	 3 resume_gateway_url            TestGatewayCloseCodes, TestGatewayComesThroughTheFrontDoorWhenTheWayBackIsClosed
//	 4 op 9                          TestGatewayComesBackTooLate, TestWhatWasMissedIsRead
//	 5 fatal codes                   TestGatewayEndsOnFatalCodes, TestAFreeLookBeforeASession, TestABadDayStaysUnderTheLimit
//	 6 waits that ignore the context TestContextWhileWaiting
//	 7 one bucket for all            TestFault7EditsOfChannelsAreNotSerialised
//	 8 POSTs that repeat themselves  TestFault8NothingIsSentAgainInSilence
//	 9 keys that leak                TestBodies
//	10 verification of signatures    TestFault10OnlyWhatDiscordSignedIsHeard, TestFault10AKeyThatIsNoneIsRefusedAtStart, TestOutsideVerifier
//	11 buckets that only grow        TestLimiterForgetsIdleBuckets

func TestFault7EditsOfChannelsAreNotSerialised(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := discord.New(discord.Options{BaseURL: "http://localhost", HTTPClient: &http.Client{Transport: inside(func(w http.ResponseWriter, _ *http.Request) {
			<-time.After(500 * time.Millisecond)
			w.Header().Set("X-RateLimit-Bucket", "the same")
			fmt.Fprint(w, `{"id":"1"}`)
		})}})
		began := time.Now()
		var all sync.WaitGroup
		for ch := range 4 {
			all.Go(func() {
				if err := c.Edit(t.Context(), chat.Ref{Channel: chat.ChannelID(fmt.Sprint(ch + 1)), Message: "1"}, chat.Shown{Content: "x"}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if d := time.Since(began); d != 500*time.Millisecond {
			t.Errorf("four edits of half a second, in four channels, took %v", d)
		}
	})
}

func TestFault8NothingIsSentAgainInSilence(t *testing.T) {
	for status, kind := range map[int]chat.FailureKind{502: chat.Unknown, 500: chat.Unknown, 504: chat.Unknown, 429: chat.Throttled} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			var calls atomic.Int32
			c := discord.New(discord.Options{BaseURL: "http://localhost", HTTPClient: &http.Client{Transport: inside(func(w http.ResponseWriter, _ *http.Request) {
				calls.Add(1)
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				fmt.Fprint(w, `{"message":"no","retry_after":0.1}`)
			})}})
			_, err := c.Create(t.Context(), chat.Post{Channel: "1", Content: "x", Nonce: "n"})
			if chat.FailureOf(err) != kind || calls.Load() != 1 {
				t.Errorf("%d calls, %v", calls.Load(), err)
			}
		})
	}
}

// FuzzGateway gives a connection whatever a peer may send after READY: it must neither fall over nor hand on what is out of
// bounds.
func FuzzGateway(f *testing.F) {
	for _, s := range []string{
		`{"op":0,"s":2,"t":"MESSAGE_CREATE","d":{"id":"1","channel_id":"2","content":"x"}}`,
		`{"op":0,"s":2,"t":"GUILD_CREATE","d":{"id":"1","channels":[{"id":"1","last_message_id":"99999999999999999999"},null],"threads":null}}`,
		`{"op":0,"s":2,"t":"CHANNEL_DELETE","d":{"id":"1","guild_id":7}}`, `{"op":0,"s":2,"t":"THREAD_UPDATE","d":{"id":"-1"}}`,
		`{"op":0,"s":2,"t":"GUILD_DELETE","d":{"id":"1","unavailable":"no"}}`, `{"op":0,"s":2,"t":"GUILD_UPDATE","d":[]}`,
		`{"op":0,"s":2,"t":"MESSAGE_DELETE_BULK","d":{"ids":[null,"1","x"],"channel_id":"1"}}`, `{"op":0,"s":2,"t":"READY","d":{}}`,
		`{"op":0,"s":2,"t":"INTERACTION_CREATE","d":` + used + `}`, `{"op":0,"s":2,"t":"INTERACTION_CREATE","d":{"type":77,"id":"1576930797158400003","token":"x"}}`,
		`{"op":0,"s":9223372036854775807,"t":"RESUMED","d":null}`, `{"op":9,"d":{}}`, `null`, `{}`, `{"op":7}`, `{"op":10}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		gate(t, func(fr *front, p *peer, fresh bool, _ int) {
			if fresh {
				p.readyAt("/")
				p.write(string(raw))
			} else {
				p.session(false)
			}
			p.beatUntilClosed()
		}, func(t *testing.T, fr *front) {
			g := start(t, &discord.Gateway{REST: fr.rest, Dial: fr.pipe.Dial, OnInteraction: said("x")}, nil)
			<-g.ready
			later(10 * time.Second)
			if err := g.end(); err != nil {
				t.Errorf("ended with %v", err)
			}
			for len(g.events) > 0 {
				e := <-g.events
				if e.ID == "" || e.What.OfMessage() && e.Channel == "" {
					t.Errorf("got %+v", e)
				}
				if e.What.OfMessage() && e.What != chat.Deleted {
					checkEvent(t, e)
				}
			}
		})
	})
}
