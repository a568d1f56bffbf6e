package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxBody is the largest request Discord reads.
const maxBody = 25 << 20

// route is one REST call: its pattern in the words of Discord's OpenAPI file, its budget, and what it does. do runs with the
// server's lock held and must not block.
type route struct {
	method, pattern string
	budget          budget
	open            bool                           // needs no bot token
	ahead           func(*Server, *request) *reply // runs before do, without the lock; may wait, and refuse
	do              func(*Server, *request) reply
	parts           []string
}

// request is one call on its way through a route.
type request struct {
	ctx             context.Context
	method, pattern string // of the route
	vars            map[string]string
	query           url.Values
	body            []byte   // JSON; of a multipart body its payload_json
	files           []upload // of a multipart body
	host            string
	tls             bool
	now             time.Time
	identified      bool // carries the bot's token
	interaction     bool // belongs to an interaction, by its path
}

// limit is how many things a list may have: what the query says, from 1 to most, or def.
func (q *request) limit(def, most int) (int, *reply) {
	text := q.query.Get("limit")
	if text == "" {
		return def, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		bad := invalidForm(&fieldError{"limit", "NUMBER_TYPE_MAX", fmt.Sprintf("int value should be between 1 and %d.", most)})
		return 0, &bad
	}
	return n, nil
}

// routeTable lists every REST call there is. Faults and limits are switched by the pattern.
func routeTable() []route {
	const message = "/channels/{channel_id}/messages/{message_id}"
	table := []route{
		{method: "GET", pattern: "/gateway", budget: generous, open: true, do: (*Server).getGateway},
		{method: "GET", pattern: "/gateway/bot", budget: generous, do: (*Server).getGatewayBot},
		{method: "GET", pattern: "/users/@me", budget: generous, do: (*Server).getMe},
		{method: "POST", pattern: "/users/@me/channels", budget: generous, do: (*Server).openDM},
		{method: "GET", pattern: "/channels/{channel_id}", budget: generous, do: (*Server).getChannel},
		{method: "GET", pattern: "/channels/{channel_id}/messages", budget: reads, do: (*Server).listMessages},
		{method: "POST", pattern: "/channels/{channel_id}/messages", budget: speech, do: (*Server).createMessage},
		{method: "GET", pattern: message, budget: reads, do: (*Server).getMessage},
		{method: "PATCH", pattern: message, budget: edits, do: (*Server).editMessage},
		{method: "DELETE", pattern: message, budget: deletes, do: (*Server).deleteMessage},
		{method: "POST", pattern: "/channels/{channel_id}/typing", budget: typing, do: (*Server).startTyping},
		{method: "GET", pattern: "/guilds/{guild_id}", budget: generous, do: (*Server).getGuild},
		{method: "GET", pattern: "/guilds/{guild_id}/channels", budget: generous, do: (*Server).getGuildChannels},
		{method: "GET", pattern: "/applications/@me", budget: generous, do: (*Server).getApplication},
		{method: "GET", pattern: "/oauth2/applications/@me", budget: generous, do: (*Server).getApplication},
	}
	table = append(table, hookRoutes()...)
	table = append(table, reactionRoutes()...)
	table = append(table, guildRoutes()...)
	table = append(table, threadRoutes()...)
	table = append(table, commandRoutes()...)
	for i := range table {
		table[i].parts = strings.Split(table[i].pattern, "/")
	}
	return table
}

// match says whether the path is of this pattern, and its variables.
func (rt *route) match(parts []string) (map[string]string, bool) {
	if len(parts) != len(rt.parts) {
		return nil, false
	}
	for i, p := range rt.parts {
		if p != parts[i] && !strings.HasPrefix(p, "{") {
			return nil, false
		}
	}
	vars := map[string]string{}
	for i, p := range rt.parts {
		if strings.HasPrefix(p, "{") {
			vars[strings.Trim(p, "{}")] = parts[i]
		}
	}
	return vars, true
}

// find returns the route of a method and a path without its version; a nil route comes with the reason.
func (s *Server) find(method, path string) (*route, map[string]string, reply) {
	parts := strings.Split(path, "/")
	miss := fail(http.StatusNotFound, 0, "404: Not Found")
	for i := range s.routes {
		vars, hit := s.routes[i].match(parts)
		if !hit {
			continue
		}
		if s.routes[i].method == method {
			return &s.routes[i], vars, reply{}
		}
		miss = fail(http.StatusMethodNotAllowed, 0, "405: Method Not Allowed")
	}
	return nil, nil, miss
}

// unversioned takes /api/v9 or /api/v10 off a path.
func unversioned(path string) (string, bool) {
	for _, version := range []string{"/api/v9/", "/api/v10/"} {
		if rest, found := strings.CutPrefix(path, version); found {
			return "/" + rest, true
		}
	}
	return "", false
}

// serveREST takes one call through token, fault, limit and route, in that order, and remembers it.
func (s *Server) serveREST(w http.ResponseWriter, r *http.Request) {
	x := &exchange{w: w, r: r, call: Call{Time: time.Now(), Method: r.Method, Path: redacted(r.URL.Path)}}
	w.Header().Set("Via", "1.1 simulator") // its absence would mean that Cloudflare answered, not Discord
	if s.banned(x) {
		return
	}
	path, versioned := unversioned(r.URL.Path)
	rt, vars, miss := s.find(r.Method, path)
	if !versioned || rt == nil {
		s.answer(x, miss)
		return
	}
	x.call.Route, x.call.Channel = rt.pattern, vars["channel_id"]
	identified := s.authorized(r.Header.Get("Authorization"))
	if !rt.open && !identified {
		s.answer(x, unauthorized()) // before the body is read: anybody may send one
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	x.sent, x.call.Bytes = body, len(body)
	if err != nil {
		s.answer(x, tooLarge())
		return
	}
	q := &request{
		ctx: r.Context(), method: rt.method, pattern: rt.pattern, vars: vars, query: r.URL.Query(), body: body, host: r.Host, tls: r.TLS != nil,
		identified: identified, interaction: strings.HasPrefix(rt.pattern, "/interactions/") || vars["webhook_id"] == s.appID,
	}
	bad := q.unpack(r.Header.Get("Content-Type"))
	x.call.Body = bytes.Clone(q.body[:min(len(q.body), keptBody)]) // a copy, so that a whole upload is not held by it
	if bad != nil {
		s.answer(x, *bad)
		return
	}
	s.perform(x, rt, q)
}

// perform runs a call that found its route, under the fault that is armed for it, if any.
func (s *Server) perform(x *exchange, rt *route, q *request) {
	fault := s.takeFault(rt, x.call.Channel)
	x.call.Fault = fault.Kind
	if fault.Kind == FaultSlow && !s.pause(x.r, time.Duration(fault.DelayMS)*time.Millisecond) {
		s.lose(x, reply{})
	}
	switch fault.Kind {
	case FaultRefused:
		s.lose(x, reply{})
	case FaultTimeout:
		s.hang(x.r)
		s.lose(x, reply{})
	case FaultStatus:
		s.answer(x, reply{fault.Status, failure{Message: http.StatusText(fault.Status), Code: fault.Code}})
		return
	case FaultRateLimit:
		fault.limit(x.w.Header())
		s.answerLimited(x, fault)
		return
	}
	answer, header := s.commit(rt, q)
	for k, v := range header {
		x.w.Header()[k] = v
	}
	switch fault.Kind {
	case FaultTimeoutAfter:
		s.hang(x.r)
		s.lose(x, answer)
	case FaultLost:
		s.lose(x, answer)
	}
	s.answer(x, answer)
}

// commit applies the limits and then the route, in one step of the world.
func (s *Server) commit(rt *route, q *request) (reply, http.Header) {
	if rt.ahead != nil {
		if no := rt.ahead(s, q); no != nil {
			return *no, http.Header{}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q.now = time.Now()
	header := http.Header{}
	if !s.opt.NoLimits {
		if over := s.limits.take(rt, q, s.crowded(q), header); over.wait > 0 {
			return limited(over.wait, over.scope), header
		}
	} else {
		s.limits.unlimited(rt, q, header)
	}
	for name, value := range q.vars {
		if _, numeric := number(value); !numeric && strings.HasSuffix(name, "_id") {
			return invalidForm(notSnowflake(name, value)), header
		}
	}
	answer := rt.do(s, q)
	// The answer shows the world as it is now; a later event must not change it on its way out.
	if answer.body != nil {
		text, err := json.Marshal(answer.body)
		if err != nil {
			return fail(http.StatusInternalServerError, 0, "500: Internal Server Error"), header
		}
		answer.body = json.RawMessage(text)
	}
	return answer, header
}

// redacted is a path without the token in it: whoever knows a webhook's or an interaction's token can speak in its name.
func redacted(path string) string {
	rest, versioned := unversioned(path)
	parts := strings.Split(rest, "/")
	if !versioned || len(parts) < 4 || parts[1] != "webhooks" && parts[1] != "interactions" {
		return path
	}
	parts[3] = "{token}"
	return strings.TrimSuffix(path, rest) + strings.Join(parts, "/")
}

// pause waits, and says false when the caller or the server went away first.
func (s *Server) pause(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-s.done:
	}
	return false
}

// hang waits until the caller or the server goes away.
func (s *Server) hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.done:
	}
}

func (s *Server) authorized(header string) bool {
	token, found := strings.CutPrefix(header, "Bot ")
	return found && token == s.Token()
}
