package discord

import (
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Options says what the simulated Discord holds and how strict it is. The zero value works: token "simulated", limits on,
// no message content intent.
type Options struct {
	// Token is the bot's token, without "Bot ". Default "simulated".
	Token string
	// MessageContentEnabled says that the application may use the message content intent.
	MessageContentEnabled bool
	// GuildMembersEnabled says the same of the guild members intent, which GET …/members needs too.
	GuildMembersEnabled bool
	// Guild and Persona name the guild and the bot. Defaults "Tea House" and "Tsumugi".
	Guild, Persona string
	// Users are the names of people. Default ana, ben, chiyo. There is one other bot, clockwork.
	Users []string
	// Channels are names of text channels beyond lounge and hall. CreateChannel makes those of other kinds.
	Channels []string
	// OldEdits is how many edits of messages older than an hour a channel bears in 20 s (error 30046). Discord does not publish
	// its number. Default 3.
	OldEdits int
	// Notice is shown by the page and in State, for example that no model is configured.
	Notice string
	// Welcome is what the page shows at the top of a channel in which nothing has been said, and State names.
	Welcome []Welcome
	// Voices are names under which the application speaks besides its own; the page gives them faces, and State names them.
	Voices []Voice
	// Explain returns how a reply came to be: the trace of which a message is part, by its id, as JSON (the package comment has
	// its shape), and false where nothing is known of the message. It is called from several goroutines. nil: nothing is known.
	Explain func(message string) ([]byte, bool)
	// NoLimits switches every rate limit off; the headers then go out with a budget that never ends.
	NoLimits bool
	// Limits are the numbers of the rate limits. Default: those observed on Discord.
	Limits Limits
	// FileBytes is how much of uploaded files is held in memory, oldest forgotten first. Default 256 MiB.
	FileBytes int
	// Avatars are pictures (PNG, JPEG, GIF) by the name of a user, or of a voice that the page may show as /avatars/{name}.
	Avatars map[string][]byte
	// Picture returns a picture that is served below /faces/ on this machine, by its path: what Discord would fetch from an
	// installation. It is called with the server's lock held. nil: there are none.
	Picture func(path string) []byte
	// ResumeWindow is how long a session without a connection can be resumed. Default 3 minutes.
	ResumeWindow time.Duration
	// Shards is what GET /gateway/bot recommends. Default 1. MinShards is how many an IDENTIFY must name at least, or it is
	// refused with 4011; 0 refuses none.
	Shards, MinShards int
	// MaxConcurrency is how many IDENTIFYs may come in 5 s, one for each remainder of the shard's number. 0 announces 1, as Discord
	// does for most bots, and counts none.
	MaxConcurrency int
	// Identifies is how many IDENTIFYs a day has. The one after the last ends every session and resets the token. Default 1000.
	Identifies int
	// ReplayKept is how many events a session keeps for a RESUME. Default 2000.
	ReplayKept int
	// CallsKept is how many REST calls are remembered, DispatchesKept how many events of sessions. Default 2000 each.
	CallsKept, DispatchesKept int
	// Seed makes faults with a probability repeatable.
	Seed uint64
	// Observe, where it is not nil, sees every REST call before its caller has the answer. It is called from many goroutines at
	// once, without the server's lock, and must not wait for a call of its own. Tests check both sides with it.
	Observe func(Exchange)
	// Key signs what is posted to the interactions endpoint; its public half is the application's verify_key. Default: a new one.
	Key ed25519.PrivateKey
	// EndpointTransport carries the calls to the interactions endpoint instead of a connection of the server's own. Either way the
	// endpoint must be on a loopback host.
	EndpointTransport http.RoundTripper
	// UserInstalled says that people have installed the application for themselves and the guild has not.
	UserInstalled bool
	// Log receives one line for what a developer should know. Default: nothing is logged.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	text := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	text(&o.Token, "simulated")
	text(&o.Guild, "Tea House")
	text(&o.Persona, "Tsumugi")
	if len(o.Users) == 0 {
		o.Users = []string{"ana", "ben", "chiyo"}
	}
	o.Limits = o.Limits.withDefaults()
	if o.FileBytes <= 0 {
		o.FileBytes = 256 << 20
	}
	if o.ResumeWindow <= 0 {
		o.ResumeWindow = 3 * time.Minute
	}
	count := func(field *int, value int) {
		if *field <= 0 {
			*field = value
		}
	}
	count(&o.Shards, 1)
	count(&o.OldEdits, 3)
	count(&o.Identifies, identifiesPerDay)
	count(&o.ReplayKept, 2000)
	count(&o.CallsKept, 2000)
	count(&o.DispatchesKept, 2000)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Errors of the control side.
var (
	// ErrUnknown says that a channel, message, user or author does not exist.
	ErrUnknown = errors.New("unknown")
	// ErrRefused says that Discord would not let a person do this.
	ErrRefused = errors.New("refused")
)

// Server is one simulated Discord. It is safe for concurrent use.
type Server struct {
	opt    Options
	routes []route
	done   chan struct{} // closed by Close
	life   context.Context
	end    context.CancelFunc // of life, by Close
	busy   sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	ids      snowflakes
	random   *rand.Rand
	appID    string
	guildID  string
	bot      *User
	users    []*User  // people first, then other bots, then the bot
	guilds   []*guild // the first is the fixture's, which guildID names
	channels []*channel
	byID     map[string]*channel
	gone     []string          // ids of channels that were deleted
	shut     map[string]bool   // people who take no direct messages of the bot
	tongues  map[string]string // the language of each person who chose one
	calls    []Call
	limits   limiter
	hooks    []*webhook
	emojis   []emoji
	stickers []guildSticker
	files    files
	pictures map[string][]byte // by the hash that an avatar goes by
	pictured int               // bytes of pictures
	faults   []*Fault
	gateway  gateway
	watchers map[*watcher]struct{}
	journal  *os.File // nil: nothing is kept
	torn     bool     // the last write to it failed
	play     interplay
}

// New returns a simulated Discord with one guild. The caller serves it on a loopback listener and closes it.
func New(o Options) *Server {
	o = o.withDefaults()
	life, end := context.WithCancel(context.Background())
	s := &Server{
		life: life, end: end, play: newInterplay(o),
		opt: o, routes: routeTable(), done: make(chan struct{}),
		random:  rand.New(rand.NewPCG(o.Seed, 1)),
		guildID: fixture(1), appID: fixture(2),
		byID: map[string]*channel{}, shut: map[string]bool{}, tongues: map[string]string{},
		limits:   limiter{numbers: o.Limits, buckets: map[string]*window{}},
		gateway:  newGateway(o),
		watchers: map[*watcher]struct{}{},
		files:    newFiles(), pictures: map[string][]byte{},
	}
	for i, name := range o.Users {
		s.addUser(fixture(100+i), name, false)
	}
	s.addUser(fixture(500), "clockwork", true)
	s.bot = s.addUser(s.appID, o.Persona, true)
	s.decorate()
	s.dressUp()
	home := s.found(s.guildID, o.Guild)
	home.roles = append(home.roles, role{ID: fixture(3), Name: "crew", Permissions: ofEveryone, Position: 1, Mentionable: true})
	s.invite(home, fixture(4), ofInvite, s.joined())
	for i, name := range append([]string{"lounge", "hall"}, o.Channels...) {
		s.addChannel(&channel{id: fixture(1000 + i), guild: home, name: name, kind: channelText, position: i})
	}
	return s
}

func (s *Server) addUser(id, name string, bot bool) *User {
	u := &User{ID: id, Username: accountName(name), GlobalName: &name, Discriminator: "0", Bot: bot}
	s.users = append(s.users, u)
	return u
}

func (s *Server) addChannel(c *channel) *channel {
	c.byID, c.nonces, c.spoke = map[string]*Message{}, map[string]*Message{}, map[string]time.Time{}
	if c.expiry == 0 {
		c.expiry = 1440
	}
	s.channels = append(s.channels, c)
	s.byID[c.id] = c
	return c
}

// enter counts one activity that Close waits for. It refuses after Close.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.busy.Add(1)
	return true
}

// Close ends every gateway connection, event stream and delayed answer, and returns when they are gone.
func (s *Server) Close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.done)
		s.cancel()
		s.end()
		for _, c := range s.gateway.conns {
			c.ws.Close()
		}
	}
	s.mu.Unlock()
	s.busy.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.journal != nil {
		_ = s.journal.Close() // every change is written already
		s.journal = nil
	}
}

// ServeHTTP answers REST calls, gateway connections, the control API and the page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		http.Error(w, "the simulated Discord is closed", http.StatusServiceUnavailable)
		return
	}
	defer s.busy.Done()
	path := r.URL.Path
	switch {
	case !loopback(r.Host):
		refuse(w, http.StatusForbidden, "only loopback hosts may use this")
	case strings.HasPrefix(path, "/api/"):
		s.serveREST(w, r)
	case path == "/gateway" || path == "/gateway/" || path == resumePath || path == "/" && r.Header.Get("Upgrade") != "":
		s.serveGateway(w, r)
	case strings.HasPrefix(path, heldFiles) || strings.HasPrefix(path, passingFiles):
		s.serveFile(w, r)
	case strings.HasPrefix(path, "/avatars/") || strings.HasPrefix(path, "/embed/avatars/"):
		s.serveAvatar(w, r)
	case strings.HasPrefix(path, "/sim/"):
		s.serveControl(w, r)
	case path == "/" || strings.HasPrefix(path, "/page/"):
		s.servePage(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) userByID(id string) *User {
	for _, u := range s.users {
		if u.ID == id {
			return u
		}
	}
	return nil
}

// dm returns the user's channel with the bot, opening it if need be. Its id depends on the user alone.
func (s *Server) dm(u *User) *channel {
	for _, c := range s.channels {
		if c.user == u.ID {
			return c
		}
	}
	id := s.ids.next(time.Now())
	for i, v := range s.users {
		if v == u {
			id = fixture(900000 + i)
		}
	}
	return s.addChannel(&channel{id: id, kind: channelDM, user: u.ID})
}
