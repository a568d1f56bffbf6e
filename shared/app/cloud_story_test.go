package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/llm"
	"tsumugi/shared/queue"
	"tsumugi/shared/sim/cloud"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/store"
)

// open is a scene of a story in an installation on AWS. Its clock is the real one.
type open struct {
	*scene
	sky  *sky
	sqs  cloud.Client
	wire *wire // what of its calls of Discord is late
}

// stageOn gives a story a guild of its own.
func (s *sky) stageOn(ctx context.Context, st *story) (*open, error) {
	o := &open{sky: s, sqs: cloud.Client{Endpoint: s.endpoint, Role: "test"}, wire: &wire{RoundTripper: s.sim.Direct()}}
	o.scene = newScene(o, st)
	o.sim, o.us = s.sim, chat.UserID(s.sim.State().Bot.ID)
	o.keep(s.store)
	o.model = newAuthor(o.scene, false)
	guild, err := s.sim.CreateGuild("Guild of " + st.name)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, name := range []string{"lounge", "hall"} {
		c, err := s.sim.CreateChannel(simdiscord.ChannelSpec{Guild: guild.ID, Name: name})
		if err != nil {
			return nil, err
		}
		ids = append(ids, c.ID)
	}
	o.in(guild.ID, ids[0], ids[1])
	o.residence = guild.ID
	s.scenes.Store(o.home, o)
	return o, o.settled(ctx, s.model.enter(o.scene))
}

// deliverToDiscord takes a call to the simulator, late where its scene says so.
func (s *sky) deliverToDiscord(w http.ResponseWriter, r *http.Request) {
	_, rest, _ := strings.Cut(r.URL.Path, "/channels/")
	channel, _, _ := strings.Cut(rest, "/")
	at, ok := s.scenes.Load(channel)
	if !ok || at.(*open).wire.late.Load() == 0 && at.(*open).wire.lateEdit.Load() == 0 {
		s.sim.ServeHTTP(w, r)
		return
	}
	r.URL.Scheme, r.URL.Host, r.RequestURI = "http", r.Host, ""
	answer, err := at.(*open).wire.RoundTrip(r)
	if err != nil {
		panic(http.ErrAbortHandler) // the connection broke
	}
	defer answer.Body.Close()
	maps.Copy(w.Header(), answer.Header)
	w.WriteHeader(answer.StatusCode)
	_, _ = io.Copy(w, answer.Body) // who asked may have left
}

// longest is how long anything may take that is not a pause of the story itself.
const longest = 150 * time.Second

func (o *open) await(_, bound time.Duration, holds func() bool) bool {
	return within(100*time.Millisecond, min(bound, longest), holds)
}

func (o *open) pass(d time.Duration) { lapse(d) }

// lapse lets time pass on the real clock.
func lapse(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	<-t.C
}

// quiet tells whether no message of the story's channels is on its way, everything said has its row, and nobody holds them.
func (o *open) quiet(ctx context.Context) bool {
	for _, c := range o.channels() {
		if o.sky.proxy.Waiting(c) > 0 {
			return false
		}
	}
	for _, c := range o.channels() {
		head, err := o.store.Get(ctx, kv.Key{Space: store.SpaceChannels, Partition: c, Sort: "head"})
		if err != nil && !errors.Is(err, kv.ErrNotFound) || err == nil && head.String("phase") != string(chat.Free) {
			return false
		}
	}
	return true
}

func (o *open) outstanding() string {
	var b strings.Builder
	for _, c := range o.channels() {
		fmt.Fprintf(&b, "channel %s: %d messages on their way; ", c, o.sky.proxy.Waiting(c))
	}
	return b.String()
}

// relay waits until the relay has put the event on its queue, which the gateway has brought it. An echo of the bot's own it has
// brought long ago.
func (o *open) relay(ctx context.Context, e chat.Event) error {
	m, err := queue.OfEvent(e)
	if err != nil {
		return err
	}
	if e.Author.Us {
		m.Dedup += "-echo"
		return o.resend(ctx, m)
	}
	if !within(10*time.Millisecond, longest, func() bool { return o.sky.proxy.Sent(m.Group, m.Dedup) }) {
		return fmt.Errorf("the relay has not brought %s of channel %s", m.Dedup, m.Group)
	}
	return nil
}

func (o *open) resend(ctx context.Context, m queue.Message) error {
	return o.sqs.Call(ctx, "sqs", "SendMessage", map[string]any{"QueueUrl": o.sky.address(o.sky.queue(queue.Ingress)), "MessageBody": m.Body,
		"MessageGroupId": m.Group, "MessageDeduplicationId": m.Dedup}, nil)
}

func (o *open) befall(ctx context.Context, st step) error {
	switch st.verb {
	case "crash":
		n := 0
		for _, f := range o.sky.functions {
			n += f.Kill(o.here)
		}
		if n == 0 {
			return errors.New("nobody was there to die")
		}
		return nil
	case "late":
		o.wire.late.Store(int64(st.after))
		return nil
	case "lateedit":
		o.wire.lateEdit.Store(int64(st.after))
		return nil
	case "sweep":
		return cloud.Fire(ctx, o.sky.functions["sweeper"], "sweep")
	}
	return fmt.Errorf("%s happens in a bubble only", st.verb)
}

// slash uses a command: a signed request through the HTTP API, that the interactions function answers.
func (o *open) slash(ctx context.Context, user, name string) error {
	got, err := o.sim.Interact(ctx, simdiscord.Invocation{Kind: "command", User: user, Channel: o.home, Command: name})
	if err == nil && got.State != "answered" {
		err = fmt.Errorf("/%s is %s: %s", name, got.State, got.Error)
	}
	return err
}

// here tells whether an invocation is about the story's channels.
func (o *open) here(payload []byte) bool {
	for _, c := range o.channels() {
		if strings.Contains(string(payload), `"MessageGroupId":"`+c+`"`) {
			return true
		}
	}
	return false
}

// queued demands that nothing is on its way. What the gateway tells of the bot's own deletions may come after everything else.
func (o *open) queued(context.Context) (wrong []string, letters int) {
	for _, c := range o.channels() {
		if !within(20*time.Millisecond, 20*time.Second, func() bool { return o.sky.proxy.Waiting(c) == 0 }) {
			wrong = append(wrong, fmt.Sprintf("%d messages of channel %s are still in a queue", o.sky.proxy.Waiting(c), c))
		}
	}
	return wrong, 0
}

// patience is how much of real time a story may take to be played on the real clock.
const patience = 90 * time.Second

// elsewhere are the uses of commands that ask a provider, or fetch a picture.
var elsewhere = regexp.MustCompile(`^uses (provider|model|setup|persona avatar)`)

// bubbleOnly says why a story cannot be played on the real clock; "" when it can.
func (s *story) bubbleOnly() string {
	if s.name == "face_says_what_it_answers" {
		return "whether the talk went on before it was read is up to the clock"
	}
	var takes time.Duration
	pressed := false
	for _, st := range s.events {
		takes += st.after
		pressed = pressed || st.verb == "redo"
		switch {
		case pressed && st.verb == "crash":
			return "what a press leads to is not running yet when its worker is to die"
		case st.verb == "fault" && st.wait != untilQuiet:
			return "it aims a fault at one reply, and the others' stories share them"
		case st.place == "thread", st.place == "post":
			return "threads are no rooms of its own"
		case st.verb == "respond":
			return "no relay brings what a command says; the story of /respond plays the command itself"
		case st.verb == "handover":
			return st.verb + " is done to a process from inside"
		case st.place == "dm":
			return "direct messages are shared by all stories of an installation"
		case st.verb == "use" && elsewhere.MatchString(st.names[1]+" "+st.arg):
			return "who it tries, or fetches from, is there in the bubble only"
		case st.verb == "crash":
			takes += chat.Visibility
		case st.verb == "fault":
			takes += tries(st.fault.Count)
		}
	}
	for _, r := range s.replies {
		if len(r.asks) > 1 && slices.ContainsFunc(s.events, func(st step) bool { return st.after > 0 }) {
			return "it aims by the clock at an attempt that follows a failed one"
		}
		takes += tries(len(r.asks))
		for _, ask := range r.asks {
			for n, step := range ask {
				if llm.KindOf(step.Err) == llm.Invalid && n > 0 {
					return "no server refuses in the middle of its words"
				}
				takes += step.Pause
			}
		}
	}
	if s.settings.Context+s.settings.History+s.settings.Reply > 0 {
		return "it sets limits that an installation does not set"
	}
	if len(s.settings.Guilds)+s.settings.Daily+s.settings.GuildDaily > 0 {
		return "it sets what an operator allows, who is that of all stories"
	}
	if s.settings.Provider != nil {
		return "its provider is there in the bubble only"
	}
	if takes > patience {
		return fmt.Sprintf("it takes %s, more than %s", takes, patience)
	}
	return ""
}

// tries is how long n attempts take of which each waits twice as long as the one before.
func tries(n int) (takes time.Duration) {
	for i := 1; i < n; i++ {
		takes += min(time.Second<<min(i, 6), chat.BackoffMax)
	}
	return takes
}

// TestStoriesOnAWS plays the stories through relay, SQS, bootstraps and DynamoDB, all at once, each in a guild of its own.
func TestStoriesOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	all := corpus(t)
	var people []string
	known := map[string]bool{}
	var played []*story
	for _, st := range all {
		if why := st.bubbleOnly(); why != "" {
			t.Logf("only in the bubble: %s: %s", st.name, why)
			continue
		}
		played = append(played, st)
		for _, name := range st.authors() {
			if !known[name] {
				known[name] = true
				people = append(people, name)
			}
		}
	}
	if len(played) < 2*len(all)/3 {
		t.Errorf("of %d stories only %d can be played", len(all), len(played))
	}
	s := newSky(t, laying{people: people})
	t.Run("stories", func(t *testing.T) {
		for _, st := range played {
			t.Run(st.name, func(t *testing.T) {
				t.Parallel()
				s.tell(t, st)
			})
		}
	})
}

// tell plays one story and judges it.
func (s *sky) tell(t *testing.T, st *story) {
	ctx := t.Context()
	o, err := s.stageOn(ctx, st)
	if err != nil {
		t.Fatal(err)
	}
	defer o.wire.landing.Wait()
	if err := o.play(ctx); err != nil {
		t.Fatalf("%s\n  %v\n  faults: %v", st.title, err, o.faults)
	}
	got, err := o.judge(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.wrong) == 0 && st.other(got) {
		return
	}
	for _, wrong := range st.wanted(got) {
		t.Errorf("%s\n  %s", st.title, wrong)
	}
}

// other tells whether the end is one that the story accepts when a worker was late: on a busy machine one may be, without dying.
func (s *story) other(got *end) bool {
	posts := slices.ContainsFunc(s.others, func(o []string) bool { return samePosts(o, got.posts) })
	return posts && slices.ContainsFunc(s.saveds, func(o []string) bool { return sameSaved(o, got.saved) == nil })
}
