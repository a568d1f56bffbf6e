package discord

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Flags of an application for privileged intents in few guilds. An application may set these and no others by itself
// (docs: Edit Current Application).
const (
	flagPresenceLimited = 1 << 12
	flagMembersLimited  = 1 << 14
	flagContentLimited  = 1 << 19
	flagsOfOwner        = flagPresenceLimited | flagMembersLimited | flagContentLimited
)

// interplay is everything about the application, its commands and its interactions. It is under the server's lock, but for key
// and client, which never change.
type interplay struct {
	key     ed25519.PrivateKey
	client  *http.Client
	app     application
	shelves map[string]*shelf       // commands by guild, "" for the global ones
	byID    map[string]*interaction // interactions whose token is still good
	byToken map[string]*interaction
	private []*Message // ephemeral messages, oldest first: no part of any channel's history
}

// newInterplay is an application without commands.
func newInterplay(o Options) interplay {
	key := o.Key
	if len(key) != ed25519.PrivateKeySize {
		_, key, _ = ed25519.GenerateKey(nil) // crypto/rand does not fail
	}
	return interplay{
		key: key, client: endpointClient(o), shelves: map[string]*shelf{},
		byID: map[string]*interaction{}, byToken: map[string]*interaction{},
	}
}

// application is what an application's owner can change about it.
type application struct {
	description string
	tags        []string
	endpoint    string // where interactions are posted; "" sends them through the gateway
	flags       int    // privileged intents beyond Options
	icon, cover *string
	custom      map[string]json.RawMessage // links and configuration that the simulator only keeps
}

// keptSettings are the fields of an application that are kept as they come; a link must be one.
var keptSettings = map[string]struct{ link bool }{
	"custom_install_url": {true}, "role_connections_verification_url": {true}, "event_webhooks_url": {true},
	"install_params": {}, "integration_types_config": {}, "event_webhooks_status": {}, "event_webhooks_types": {},
}

func (s *Server) appFlags() int {
	flags := s.play.app.flags
	if s.opt.MessageContentEnabled {
		flags |= flagContentLimited
	}
	return flags
}

// getApplication is GET /applications/@me, and its older name under oauth2.
func (s *Server) getApplication(*request) reply { return ok(s.applicationView()) }

// applicationView is the application as its own bot sees it. Fields that Discord leaves out are left out: some clients do not
// survive null there.
func (s *Server) applicationView() map[string]any {
	a := s.play.app
	v := map[string]any{
		"id": s.appID, "name": s.opt.Persona, "icon": a.icon, "description": a.description, "type": nil, "flags": s.appFlags(),
		"flags_new": strconv.Itoa(s.appFlags()), "verify_key": s.PublicKey(),
		"redirect_uris": []string{}, "interactions_endpoint_url": nil, "role_connections_verification_url": nil,
		"owner": *s.users[0], "bot": *s.bot, "bot_public": false, "bot_require_code_grant": false,
		"approximate_guild_count": 1, "approximate_user_install_count": 0, "approximate_user_authorization_count": 0,
		"explicit_content_filter": 0, "team": nil, "eligible_oauth2_scopes": []string{},
		"integration_types_config": s.integrations(),
	}
	if a.endpoint != "" {
		v["interactions_endpoint_url"] = a.endpoint
	}
	if a.tags != nil {
		v["tags"] = a.tags
	}
	if a.cover != nil {
		v["cover_image"] = *a.cover
	}
	for name, value := range a.custom {
		v[name] = value
	}
	return v
}

// integrations is where the application can be installed: 0 is a guild, 1 a user.
func (s *Server) integrations() map[string]any {
	if s.opt.UserInstalled {
		return map[string]any{"1": struct{}{}}
	}
	return map[string]any{"0": struct{}{}}
}

// appChange is the body of an application's edit: the fields it carries.
type appChange map[string]json.RawMessage

// field decodes one field of the body, if it is there and no null.
func (c appChange) field(name string, into any) (given bool, bad *fieldError) {
	raw, given := c[name]
	if !given || string(raw) == "null" {
		return given, nil
	}
	if json.Unmarshal(raw, into) != nil {
		return true, &fieldError{name, "BASE_TYPE_CONVERT", "Could not interpret this value."}
	}
	return true, nil
}

// endpoint is the URL that the body wants interactions sent to.
func (c appChange) endpoint() (address string, given bool, bad *fieldError) {
	given, bad = c.field("interactions_endpoint_url", &address)
	if bad == nil && address != "" && !link(address) {
		bad = &fieldError{"interactions_endpoint_url", "URL_TYPE_INVALID_URL", "Not a well formed URL."}
	}
	return address, given, bad
}

func link(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && len(address) <= 2048
}

// proveEndpoint goes ahead of an application's edit, without the lock: a new endpoint must show that it checks signatures.
func (s *Server) proveEndpoint(q *request) *reply {
	var c appChange
	if json.Unmarshal(q.body, &c) != nil {
		answer := badJSON()
		return &answer
	}
	address, _, bad := c.endpoint()
	if bad == nil && address != "" {
		if err := s.prove(q.ctx, address); err != nil {
			s.opt.Log.Info("the interactions endpoint was refused", "err", err)
			bad = &fieldError{"interactions_endpoint_url", "APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID", "The specified interactions endpoint URL could not be verified."}
		}
	}
	if bad != nil {
		answer := invalidForm(bad)
		return &answer
	}
	return nil
}

// editApplication is PATCH /applications/@me, after proveEndpoint. All of it is taken over or nothing.
func (s *Server) editApplication(q *request) reply {
	var c appChange
	if json.Unmarshal(q.body, &c) != nil {
		return badJSON()
	}
	a := s.play.app
	a.flags = s.appFlags()
	for _, change := range []func(appChange, *application) *fieldError{changeText, changeFlags, changeImages, changeKept} {
		if bad := change(c, &a); bad != nil {
			return invalidForm(bad)
		}
	}
	s.opt.MessageContentEnabled = a.flags&flagContentLimited != 0
	a.flags &^= flagContentLimited
	s.play.app = a
	return ok(s.applicationView())
}

// changeText takes description, tags and endpoint over.
func changeText(c appChange, a *application) *fieldError {
	var text string
	given, bad := c.field("description", &text)
	switch {
	case bad != nil:
		return bad
	case utf8.RuneCountInString(text) > 400:
		return tooLong("description", 400)
	case given:
		a.description = text
	}
	var tags []string
	given, bad = c.field("tags", &tags)
	if bad != nil {
		return bad
	}
	if len(tags) > 5 {
		return tooLong("tags", 5)
	}
	for i, t := range tags {
		if n := utf8.RuneCountInString(t); n > 20 || n == 0 {
			return &fieldError{"tags." + strconv.Itoa(i), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 20 in length."}
		}
	}
	if given {
		a.tags = list(tags)
	}
	address, given, bad := c.endpoint()
	if given && bad == nil {
		a.endpoint = address
	}
	return bad
}

// changeFlags takes the flags over that an owner may set.
func changeFlags(c appChange, a *application) *fieldError {
	flags := 0
	given, bad := c.field("flags", &flags)
	if bad == nil && flags&^flagsOfOwner != 0 {
		bad = &fieldError{"flags", "APPLICATION_FLAGS_INVALID", "Only the flags of limited intents may be changed."}
	}
	if given && bad == nil {
		a.flags = flags
	}
	return bad
}

// changeImages takes icon and cover over: Discord shows an image by its hash.
func changeImages(c appChange, a *application) *fieldError {
	for name, into := range map[string]**string{"icon": &a.icon, "cover_image": &a.cover} {
		var data string
		given, bad := c.field(name, &data)
		switch {
		case bad != nil:
			return bad
		case !given:
			continue
		case data == "":
			*into = nil
			continue
		case !strings.HasPrefix(data, "data:image/"):
			return &fieldError{name, "BASE_TYPE_CONVERT", "Could not interpret this value as an image."}
		}
		sum := sha256.Sum256([]byte(data))
		hash := hex.EncodeToString(sum[:16])
		*into = &hash
	}
	return nil
}

// changeKept takes over what is only kept.
func changeKept(c appChange, a *application) *fieldError {
	custom := map[string]json.RawMessage{}
	for name, old := range a.custom {
		custom[name] = old
	}
	for name, kind := range keptSettings {
		raw, given := c[name]
		if !given {
			continue
		}
		if delete(custom, name); string(raw) == "null" {
			continue
		}
		var address string
		if kind.link && (json.Unmarshal(raw, &address) != nil || address != "" && !link(address)) {
			return &fieldError{name, "URL_TYPE_INVALID_URL", "Not a well formed URL."}
		}
		custom[name] = raw
	}
	a.custom = custom
	return nil
}
