package app_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"tsumugi/shared/sim/cloud"
)

// Times of a chaos run. A relay that dies is missed for a minute and a tick, so it does when most has been said.
const (
	chaosTalk    = 60 * time.Second
	chaosFirst   = 3 * time.Second  // accident
	chaosLast    = 55 * time.Second // accident
	chaosSettled = 3 * time.Minute  // after the last words, at most; two deaths of one channel may follow each other
	chaosTick    = 5 * time.Second  // of the relay's schedule
)

// said is what somebody says, and when. Words are numbered from 1, as in stories.
type said struct {
	at   time.Duration
	who  string
	text string
}

// chaosRoom is a channel: who lives there, all of whom answer, and what people say.
type chaosRoom struct {
	cast  []string
	words []said
}

// mishap is one accident.
type mishap struct {
	at   time.Duration
	name string
	do   func(*chaos)
}

// chaosPlan is drawn from its seed alone: what comes of it depends on the machine.
type chaosPlan struct {
	dice    *rand.Rand
	rooms   []chaosRoom
	mishaps []mishap
}

func newChaosPlan(seed uint64) *chaosPlan {
	p := &chaosPlan{dice: rand.New(rand.NewPCG(seed, 0))}
	for n := range 8 {
		room := chaosRoom{cast: []string{"mira", "teo"}[:1+n%2]}
		for at := p.between(0, 4*time.Second); at < chaosTalk; at += p.between(2*time.Second, 9*time.Second) {
			at = room.burst(p, at)
		}
		p.rooms = append(p.rooms, room)
	}
	p.accidents()
	slices.SortStableFunc(p.mishaps, func(a, b mishap) int { return int(a.at - b.at) })
	return p
}

func (p *chaosPlan) between(from, to time.Duration) time.Duration {
	return from + time.Duration(p.dice.Int64N(int64(to-from)))
}

func one[T any](p *chaosPlan, of ...T) T { return of[p.dice.IntN(len(of))] }

// burst is what is said at once or nearly so: by one or several, who may go on, or have had enough.
func (r *chaosRoom) burst(p *chaosPlan, at time.Duration) time.Duration {
	say := func(who, text string) { r.words = append(r.words, said{at, who, text}) }
	who := ""
	for range 1 + p.dice.IntN(3) {
		who = one(p, "ana", "ben", "chiyo")
		say(who, fmt.Sprintf("question %d", len(r.words)+1))
		at += p.between(50*time.Millisecond, 500*time.Millisecond)
	}
	switch p.dice.IntN(6) {
	case 0, 1:
		at += p.between(300*time.Millisecond, 3*time.Second)
		say(who, fmt.Sprintf("I mean, question %d", len(r.words)+1))
	case 2:
		at += p.between(300*time.Millisecond, 3*time.Second)
		say(who, "stop")
	}
	return at
}

// answer is what a persona says to words, in pieces.
func (r *chaosRoom) answer(persona string, words int) []string {
	return []string{fmt.Sprintf("%s has this to say to words %d, as well as anybody can. ", persona, words), "Then there is this. ",
		fmt.Sprintf("And %d times no more.", words)}
}

// story is the room as a scene knows it. What is said in it is not played by it: nobody waits there for anything.
func (r *chaosRoom) story(name string) (*story, error) {
	s := &story{name: name, settings: settings{Channel: "100", Order: "round"}}
	for _, who := range r.cast {
		card, err := json.Marshal(who)
		if err != nil {
			return nil, err
		}
		s.settings.Cast = append(s.settings.Cast, card)
		for i := range r.words {
			words := r.answer(who, i+1)
			if err := s.reply(fmt.Sprintf("%s@%d> %s|{pause 400ms}%s|{pause 600ms}%s", who, i+1, words[0], words[1], words[2])); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// chaosWorkers are the roles that every message comes through.
var chaosWorkers = []string{"admission", "planning", "generation"}

// accidents draws what happens to the installation.
func (p *chaosPlan) accidents() {
	some := func(n int, draw func() (string, func(*chaos))) {
		for range n {
			at := p.between(chaosFirst, chaosLast)
			name, do := draw()
			p.mishaps = append(p.mishaps, mishap{at, name, do})
		}
	}
	fault := func(f cloud.Fault) (string, func(*chaos)) {
		name := fmt.Sprintf("%s: %s %s %s, after %d, %d times, %s", f.Kind, f.Role, f.Service, f.Operation, f.After, f.Count, f.Delay)
		return name, func(c *chaos) { c.arm(f) }
	}
	all := append([]string{"sweeper", "relay"}, chaosWorkers...)
	some(16, p.deathAtCall)
	some(8, p.death)
	some(3, p.throttling)
	some(10, func() (string, func(*chaos)) { // a connection breaks, also that of a mapping, before the call is heard or after it was done
		f := cloud.Fault{Kind: one(p, cloud.ReplyLost, cloud.Unheard), Role: one(p, all...), Service: "dynamodb", After: p.dice.IntN(6), Count: 1 + p.dice.IntN(2)}
		if p.dice.IntN(2) == 0 {
			f.Service, f.Operation = "sqs", one(p, "SendMessage", "SendMessageBatch", "ChangeMessageVisibility", "ReceiveMessage", "DeleteMessageBatch")
		}
		return fault(f)
	})
	some(5, func() (string, func(*chaos)) { // a job is lost. That of the relay's no one could tell: it is the message itself
		return fault(cloud.Fault{Kind: cloud.Swallowed, Role: one(p, chaosWorkers...), Service: "sqs", Operation: "SendMessage", After: p.dice.IntN(3), Count: 1})
	})
	some(8, func() (string, func(*chaos)) {
		return fault(cloud.Fault{Kind: cloud.Slow, Role: one(p, all...), Service: one(p, "dynamodb", "sqs"), Count: 1 + p.dice.IntN(8), Delay: p.between(time.Second, 6*time.Second)})
	})
	some(8, func() (string, func(*chaos)) {
		room, n := p.dice.IntN(len(p.rooms)), p.dice.IntN(20)
		return fmt.Sprintf("again: words %d of room %d", n, room), func(c *chaos) { c.again(room, n) }
	})
	p.mishaps = append(p.mishaps, mishap{p.between(35*time.Second, 45*time.Second), "the relay dies", func(c *chaos) { c.kill("relay", 0) }})
}

// deathAtCall kills who works in a room at one of its calls: before it is heard, or when it is done.
func (p *chaosPlan) deathAtCall() (string, func(*chaos)) {
	room, f := p.dice.IntN(len(p.rooms)), cloud.Fault{Kind: one(p, cloud.ReplyLost, cloud.Unheard), Role: one(p, chaosWorkers...), After: p.dice.IntN(4), Count: 1}
	return fmt.Sprintf("death at a call: %s in room %d, %s, after %d", f.Role, room, f.Kind, f.After), func(c *chaos) {
		here := c.rooms[room].open
		f.Holds = here.home
		f.Hit = func() { c.died(f.Role, c.sky.functions[f.Role].Kill(here.here)) }
		c.arm(f)
	}
}

// death kills one of a function's processes a moment after it was seen at work.
func (p *chaosPlan) death() (string, func(*chaos)) {
	role, after := one(p, append([]string{"sweeper"}, chaosWorkers...)...), p.between(time.Millisecond, 300*time.Millisecond)
	return fmt.Sprintf("death: %s, %s after it was seen", role, after), func(c *chaos) { c.kill(role, after) }
}

// throttling lets a service, or both, refuse every call of everybody for some seconds.
func (p *chaosPlan) throttling() (string, func(*chaos)) {
	services, lasts := one(p, []string{"dynamodb"}, []string{"sqs"}, []string{"dynamodb", "sqs"}), p.between(2*time.Second, 6*time.Second)
	return fmt.Sprintf("throttled: %s for %s", services, lasts), func(c *chaos) {
		for _, service := range services {
			time.AfterFunc(lasts, c.sky.proxy.Fault(cloud.Fault{Kind: cloud.Throttled, Service: service}))
		}
	}
}
