package app_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/persona"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
	"tsumugi/shared/store"
)

const endpoint = "http://localhost/interactions"

// site is an installation beside a simulated Discord that can reach its endpoint, unless that is away.
type site struct {
	*app.Installation
	t     *testing.T
	sim   *simdiscord.Server
	token string
	away  int // so many more calls of the endpoint are not answered; below 0: none is
	disk  *disk
	log   strings.Builder
	seen  int // calls of the simulator that were looked at
	logAt int
}

// disk is a store that counts what it is asked, and fails when told to.
type disk struct {
	kv.Driver
	reads, writes int
	err           error
}

func (d *disk) Get(ctx context.Context, k kv.Key) (kv.Item, error) {
	d.reads++
	if d.err != nil {
		return kv.Item{}, d.err
	}
	return d.Driver.Get(ctx, k)
}

func (d *disk) Write(ctx context.Context, ops ...kv.Op) error {
	d.writes++
	if d.err != nil {
		return d.err
	}
	return d.Driver.Write(ctx, ops...)
}

// roundTrip is a function as http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// onSite runs a test on a fake clock.
func onSite(t *testing.T, test func(t *testing.T, s *site)) {
	t.Helper()
	s := &site{t: t, token: "simulated", disk: &disk{Driver: kvtest.Memory()}}
	before := slog.Default()
	slog.SetDefault(app.Logger(&s.log))
	defer slog.SetDefault(before)
	synctest.Test(t, func(t *testing.T) {
		<-time.After(time.Until(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)))
		s.sim = simdiscord.New(discordtest.Watch(t, simdiscord.Options{EndpointTransport: roundTrip(s.reach), MessageContentEnabled: true}))
		current := func(context.Context, string) (string, error) {
			if s.token == "" {
				return "", errors.New("read secret house/token: AccessDeniedException: the function's role needs secretsmanager:GetSecretValue on it")
			}
			return s.token, nil
		}
		s.Installation = &app.Installation{
			Discord: discord.New(discord.Options{Current: current, BaseURL: "http://localhost/api/v10", HTTPClient: s.net()}),
			KV:      s.disk, Commands: command.Specs(), PublicKey: s.sim.PublicKey(), Endpoint: endpoint, TokenAt: "the secret house/token",
		}
		s.t = t
		test(t, s)
		s.sim.Close()
	})
}

// reach is what Discord meets at the endpoint.
func (s *site) reach(r *http.Request) (*http.Response, error) {
	if s.away != 0 {
		s.away--
		return nil, errors.New("nobody there")
	}
	e, err := discord.NewEndpoint(s.sim.PublicKey(), func(context.Context, chat.Interaction) chat.Answer { return chat.Answer{Text: "hi"} })
	if err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w.Result(), nil
}

// run registers as the function does, within the time that it has.
func (s *site) run(force bool) app.Registered {
	ctx, done := context.WithTimeout(s.t.Context(), 105*time.Second)
	defer done()
	return s.Register(ctx, force)
}

// calls are the methods and routes that Discord was asked since the last time.
func (s *site) calls() []string {
	var all []string
	list := s.sim.Calls()
	for _, c := range list[s.seen:] {
		all = append(all, c.Method+" "+c.Route)
	}
	s.seen = len(list)
	return all
}

// failures are the steps of the lines that were logged since the last time for the alarm.
func (s *site) failures() []string {
	var all []string
	for line := range strings.Lines(s.log.String()[s.logAt:]) {
		if strings.Contains(line, `"level":"ERROR","msg":"registration failed"`) {
			_, step, _ := strings.Cut(line, `"step":"`)
			step, _, _ = strings.Cut(step, `"`)
			all = append(all, step)
			if !strings.Contains(line, `"fix":"`) {
				s.t.Errorf("no fix in %s", line)
			}
		}
	}
	s.logAt = s.log.Len()
	return all
}

const (
	readApplication = "GET /applications/@me"
	putCommands     = "PUT /applications/{application_id}/commands"
	setEndpoint     = "PATCH /applications/@me"
)

// expect looks at what Discord was asked, and at what failed.
func (s *site) expect(calls, failures []string) {
	s.t.Helper()
	if got := s.calls(); !slices.Equal(got, calls) {
		s.t.Errorf("discord was asked %q, want %q", got, calls)
	}
	if got := s.failures(); !slices.Equal(got, failures) {
		s.t.Errorf("failed %q, want %q; logged %s", got, failures, s.log.String())
	}
}

// complete looks whether everything is as it should be in the end.
func (s *site) complete() {
	s.t.Helper()
	s.seen = len(s.sim.Calls())
	client := discord.New(discord.Options{Token: s.sim.Token(), BaseURL: "http://localhost/api/v10", HTTPClient: s.net()})
	if a, err := client.Application(s.t.Context()); err != nil || a.InteractionsURL != endpoint {
		s.t.Errorf("the application has %+v (%v)", a, err)
	}
	s.seen = len(s.sim.Calls())
	set, err := store.NewBook(s.disk.Driver).Settings(s.t.Context(), "")
	if err != nil || len(set.Personas) == 0 || set.Personas[0].Name != persona.Demo().Name {
		s.t.Errorf("there live %+v (%v)", set.Personas, err)
	}
}

// net is the way to the simulator, without a network. after is called behind each call.
func (s *site) net(after ...func()) *http.Client {
	return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		if r.Body == nil {
			r.Body = http.NoBody
		}
		w := httptest.NewRecorder()
		s.sim.ServeHTTP(w, r)
		for _, do := range after {
			do()
		}
		return w.Result(), nil
	})}
}

// registered is what the registrar says of the commands.
func registered() string {
	var names []string
	for _, s := range command.Specs() {
		if s.OfMessages {
			names = append(names, s.Name)
			continue
		}
		names = append(names, "/"+s.Name)
	}
	return "Registered: " + strings.Join(names, ", ") + "."
}

func TestFirstDeploymentAndWhatFollows(t *testing.T) {
	onSite(t, func(t *testing.T, s *site) {
		told := s.run(true)
		if told.Status != "Everything is registered." || told.Commands != registered() || told.Interactions != "Discord sends them to "+endpoint+"." {
			t.Errorf("told %+v", told)
		}
		s.expect([]string{readApplication, putCommands, setEndpoint}, nil)
		s.complete()

		s.disk.reads, s.disk.writes = 0, 0
		time.Sleep(time.Hour)
		told = s.run(false)
		if s.expect(nil, nil); s.disk.reads != 1 || s.disk.writes != 0 || told.Status != "Nothing has changed." {
			t.Errorf("an hour in which nothing changes costs %d reads and %d writes: %+v", s.disk.reads, s.disk.writes, told)
		}
		s.run(true)
		s.expect([]string{readApplication}, nil) // a deployment with the same commands

		s.Commands = slices.Concat(s.Commands, []chat.CommandSpec{{Name: "more", Description: "More", DMs: true,
			Options: []chat.OptionSpec{{Name: "much", Description: "How much", Kind: chat.OptionNumber, Required: true}}}})
		s.run(false)
		s.expect([]string{readApplication, putCommands}, nil)
		s.run(false)
		s.expect(nil, nil)

		time.Sleep(25 * time.Hour) // somebody may have changed it by hand
		s.run(false)
		s.expect([]string{readApplication, putCommands}, nil)
		s.complete()
	})
}

func TestIntentIsAskedForAndBlocksNothing(t *testing.T) {
	onSite(t, func(t *testing.T, s *site) {
		s.arm(simdiscord.Fault{Kind: simdiscord.FaultIntentOff})
		if told := s.run(true); !strings.HasPrefix(told.Status, "Everything is registered. Mentions") || !strings.Contains(told.Status, "Message Content Intent") {
			t.Errorf("told %+v", told)
		}
		s.complete()
	})
}

func (s *site) arm(f simdiscord.Fault) {
	s.t.Helper()
	if err := s.sim.Fault(f); err != nil {
		s.t.Fatal(err)
	}
}

// What an operator may have done wrong, and what may be away: told with its remedy, and mended by the next hour.
func TestWhatFailsIsToldAndMendedLater(t *testing.T) {
	down := simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 503, Count: -1}
	for name, c := range map[string]struct {
		spoil, mend func(s *site)
		says        string // what the status says
		failed      []string
		late        []string // what the next hour asks
	}{
		"wrong token": {func(s *site) { s.token = "wrong" }, func(s *site) { s.token = "simulated" },
			"into the secret house/token", []string{"read the application"}, []string{readApplication, putCommands, setEndpoint}},
		"secret denied": {func(s *site) { s.token = "" }, func(s *site) { s.token = "simulated" },
			"secretsmanager:GetSecretValue", []string{"read the application"}, []string{readApplication, putCommands, setEndpoint}},
		"wrong public key": {func(s *site) { s.PublicKey = strings.Repeat("0a", 32) }, func(s *site) { s.PublicKey = s.sim.PublicKey() },
			"set parameter DiscordPublicKey to the one shown in the developer portal", []string{"compare the public key"}, []string{readApplication, putCommands, setEndpoint}},
		"endpoint does not answer": {func(s *site) { s.away = -1 }, func(s *site) { s.away = 0 },
			"could not verify the interactions endpoint " + endpoint, []string{"set the endpoint"}, []string{readApplication, setEndpoint}},
		"Discord is down": {func(s *site) { s.arm(down) }, func(s *site) { s.sim.ClearFaults() },
			"Discord does not answer", []string{"read the application"}, []string{readApplication, putCommands, setEndpoint}},
		"our address is blocked": {func(s *site) { s.arm(simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 403, Count: -1}) }, func(s *site) { s.sim.ClearFaults() },
			"Discord does not answer", []string{"read the application"}, []string{readApplication, putCommands, setEndpoint}},
		"Discord does not take the commands": {func(s *site) {
			s.arm(simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 500, Method: "PUT", Count: -1})
		},
			func(s *site) { s.sim.ClearFaults() }, "register the commands", []string{"register the commands"}, []string{readApplication, putCommands}},
		"commands are refused": {func(s *site) { s.Commands = []chat.CommandSpec{{Name: "Not A Name", Description: "x"}} }, func(s *site) { s.Commands = command.Specs() },
			"newer version", []string{"register the commands"}, []string{readApplication, putCommands}},
		"store is denied": {func(s *site) { s.disk.err = errors.New("AccessDeniedException") }, func(s *site) { s.disk.err = nil },
			"table", []string{"read the store"}, []string{readApplication, putCommands}},
	} {
		t.Run(name, func(t *testing.T) {
			onSite(t, func(t *testing.T, s *site) {
				c.spoil(s)
				begun := time.Now()
				told := s.run(true)
				if !strings.Contains(told.Status, c.says) || told.Interactions == "" || told.Commands == "" {
					t.Errorf("told %+v, which does not say %s", told, c.says)
				}
				if d := time.Since(begun); d > 105*time.Second {
					t.Errorf("it took %v", d)
				}
				calls := s.calls()
				if s.expect(nil, c.failed); len(calls) > 9 {
					t.Errorf("%d calls: %q", len(calls), calls)
				}
				time.Sleep(time.Hour)
				c.mend(s)
				if told := s.run(false); told.Status != "Everything is registered." {
					t.Errorf("mended, it tells %+v", told)
				}
				s.expect(c.late, nil)
				s.complete()
				s.run(false)
				s.expect(nil, nil)
			})
		})
	}
}

func TestRefusedUpdateIsNotTakenForDone(t *testing.T) {
	onSite(t, func(t *testing.T, s *site) {
		s.run(true)
		s.calls()
		s.token = "wrong"
		s.run(true)
		s.token = "simulated"
		s.calls()
		s.run(false)
		s.expect([]string{readApplication}, []string{"read the application"})
		s.complete()
	})
}

// Two installations on one token take the endpoint from each other. Whoever looks at either sees it.
func TestEndpointOfAnotherIsTakenAloud(t *testing.T) {
	onSite(t, func(t *testing.T, s *site) {
		s.Endpoint = endpoint + "?key=s1gned"
		s.run(true)
		s.Endpoint = endpoint
		if told := s.run(true); !strings.Contains(told.Interactions, "in place of "+endpoint+", ") || strings.Contains(told.Interactions, "s1gned") {
			t.Errorf("told %+v", told)
		}
		if !strings.Contains(s.log.String(), `"level":"WARN","msg":"the interactions endpoint was another one`) || strings.Contains(s.log.String(), "s1gned") {
			t.Errorf("logged %s", s.log.String())
		}
		s.complete()
	})
}

func TestNewEndpointIsGivenTime(t *testing.T) {
	onSite(t, func(t *testing.T, s *site) {
		s.away = 3
		if told := s.run(true); told.Status != "Everything is registered." {
			t.Errorf("told %+v", told)
		}
		s.expect([]string{readApplication, putCommands, setEndpoint, setEndpoint, setEndpoint, setEndpoint}, nil)
		s.complete()
	})
}

func TestDiscordsLimitsAreHonoured(t *testing.T) {
	onSite(t, func(t *testing.T, s *site) {
		s.arm(simdiscord.Fault{Kind: simdiscord.FaultRateLimit, Method: "PUT", RetryAfter: 12})
		begun := time.Now()
		if told := s.run(true); told.Status != "Everything is registered." || time.Since(begun) < 12*time.Second {
			t.Errorf("told %+v after %v", told, time.Since(begun))
		}
		s.complete()
	})
}

// The function may be killed between any two steps, and is called again.
func TestRepetitionAfterACrash(t *testing.T) {
	for n := range 8 {
		onSite(t, func(t *testing.T, s *site) {
			ctx, kill := context.WithCancel(t.Context())
			left := n
			s.Installation.KV = &dying{disk: s.disk, left: &left, kill: kill}
			s.Discord = discord.New(discord.Options{Token: "simulated", BaseURL: "http://localhost/api/v10", HTTPClient: s.net(func() { count(&left, kill) })})
			s.Register(ctx, true)
			kill()
			s.Installation.KV = s.disk
			if told := s.run(false); n < 4 && told.Status != "Everything is registered." {
				t.Errorf("killed after %d steps, the next run tells %+v", n, told)
			}
			s.complete()
		})
	}
}

// count ends the process when no step is left.
func count(left *int, kill func()) {
	if *left--; *left < 0 {
		kill()
	}
}

// dying is a store whose process is killed after a number of steps.
type dying struct {
	*disk
	left *int
	kill func()
}

func (d *dying) Write(ctx context.Context, ops ...kv.Op) error {
	if *d.left < 0 {
		return errors.New("the process is dead")
	}
	err := d.disk.Write(ctx, ops...)
	count(d.left, d.kill)
	return err
}

func TestWithdrawal(t *testing.T) {
	for name, c := range map[string]struct {
		before func(s *site)
		calls  []string
		failed []string
		left   string // the endpoint afterwards
	}{
		"ours":          {func(*site) {}, []string{readApplication, setEndpoint}, nil, ""},
		"another's now": {func(s *site) { s.Endpoint = "http://localhost/another" }, []string{readApplication}, nil, endpoint},
		"wrong token":   {func(s *site) { s.token = "wrong" }, []string{readApplication}, []string{"take the endpoint away"}, endpoint},
		"endpoint gone": {func(s *site) { s.away = -1 }, []string{readApplication, setEndpoint}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			onSite(t, func(t *testing.T, s *site) {
				s.run(true)
				s.calls()
				c.before(s)
				if told := s.Withdraw(t.Context()); told.Status == "" || told.Interactions == "" || told.Commands == "" {
					t.Errorf("told %+v", told)
				}
				s.expect(c.calls, c.failed)
				s.token = "simulated"
				if a, err := s.Discord.Application(t.Context()); err != nil || a.InteractionsURL != c.left {
					t.Errorf("the application has %+v (%v)", a, err)
				}
			})
		})
	}
}
