package app_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
	"tsumugi/shared/seal/sealtest"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
	"tsumugi/shared/store"
)

// changes counts what is written and sent.
type changes struct{ n atomic.Int32 }

type countedStore struct {
	kv.Driver
	*changes
}

// Write counts.
func (s countedStore) Write(ctx context.Context, ops ...kv.Op) error {
	s.n.Add(1)
	return s.Driver.Write(ctx, ops...)
}

type countedQueues struct {
	queue.Driver
	*changes
}

// Send counts.
func (q countedQueues) Send(ctx context.Context, name string, m queue.Message) error {
	q.n.Add(1)
	return q.Driver.Send(ctx, name, m)
}

// The day of these interactions, a role that may set the house up, and who uses it.
var fuzzDay = time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC)

const (
	fuzzAdmins = "555"
	fuzzUser   = "21"
)

// flake is an id made so long before the day.
func flake(before time.Duration) string {
	return strconv.FormatInt((fuzzDay.Add(-before).UnixMilli()-1420070400000)<<22|7, 10)
}

// signs posts the body with a good signature to the endpoint of a house in which one role may set things up, and gives the answer
// and how much was changed.
func signs(t *testing.T, body string) (status int, answer []byte, changed int) {
	synctest.Test(t, func(t *testing.T) {
		pass(time.Until(fuzzDay))
		memory, count := kvtest.Memory(), &changes{}
		_, err := store.NewBook(memory).Change(t.Context(), "1", "", guild.Change{ID: chat.EventID(flake(time.Hour)), By: "20", At: time.Now(), What: "test"},
			func(s *guild.Settings, _ *guild.Channel, _ *guild.Change) error {
				s.Admins = []string{fuzzAdmins}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		key := ed25519.NewKeyFromSeed([]byte("interactions of the tests, 32 B."))
		public := hex.EncodeToString(key.Public().(ed25519.PublicKey))
		h, err := app.NewInteractions(app.Ports{KV: countedStore{memory, count}, Queues: countedQueues{queuetest.Memory(receives), count}, Sealer: sealtest.Memory()}, public)
		if err != nil {
			t.Fatal(err)
		}
		stamp := strconv.FormatInt(time.Now().Unix(), 10)
		r := httptest.NewRequest(http.MethodPost, app.InteractionsPath, strings.NewReader(body))
		r.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(key, []byte(stamp+body))))
		r.Header.Set("X-Signature-Timestamp", stamp)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		status, answer, changed = w.Code, bytes.TrimSpace(w.Body.Bytes()), int(count.n.Load())
	})
	return status, answer, changed
}

// asked is what of an interaction decides whether it may change anything.
type asked struct {
	Type  int
	ID    string
	Token string
	Data  struct {
		Name     string
		CustomID string `json:"custom_id"`
		Options  []struct {
			Type int
			Name string
		}
	}
	Guild  string `json:"guild_id"`
	Member struct {
		User        struct{ ID string }
		Permissions string
		Roles       []string
	}
	User struct{ ID string }
}

// permitted is the rule in words of the registration: a known command or one of its own buttons and forms, of whoever it was made
// for, by somebody with the permission that the command needs or a role of the server's admins.
func (a asked) permitted() bool {
	path := a.Data.Name
	who, own := a.User.ID, a.User.ID
	if a.Guild != "" {
		who = a.Member.User.ID
		own = who
	}
	switch a.Type {
	case 2:
		if len(a.Data.Options) == 1 && a.Data.Options[0].Type == 1 {
			path += " " + a.Data.Options[0].Name
		}
	case 3, 5:
		parts := strings.Split(a.Data.CustomID, "|")
		if len(parts) < 4 {
			return false
		}
		path = parts[1]
		n, err := strconv.ParseUint(parts[3], 36, 64)
		if err != nil {
			return false
		}
		own = strconv.FormatUint(n, 10)
	default:
		return false
	}
	name, below, _ := strings.Cut(path, " ")
	for _, s := range command.Specs() {
		known := s.Name == name && (below == "" || slices.ContainsFunc(s.Options, func(o chat.OptionSpec) bool { return o.Kind == chat.SubCommand && o.Name == below }))
		may, _ := strconv.ParseUint(a.Member.Permissions, 10, 64)
		switch {
		case !known:
		case a.ID == "" || a.Token == "" || who == "" || own != who:
			return false
		case a.Guild == "":
			return s.DMs
		default:
			return chat.Permissions(may).Allow(s.Needs) || slices.Contains(a.Member.Roles, fuzzAdmins)
		}
	}
	return false
}

// body is an interaction of the user in a server, with the permissions.
func body(kind int, data string, may chat.Permissions, more string) string {
	return fmt.Sprintf(`{"type":%d,"id":%q,"application_id":"9","token":"aW50ZXJhY3Rpb24","data":%s,"guild_id":"1","channel_id":"7","channel":{"id":"7","type":0},`+
		`"member":{"user":{"id":%q,"username":"ana"},"permissions":"%d","roles":[]},"app_permissions":"3072","locale":"en-US"%s}`, kind, flake(0), data, fuzzUser, may, more)
}

var offered = regexp.MustCompile(`"custom_id":"(1\|[^"]+)"`)

// everyUse is every command with nothing given, by whoever may do all, and everything that the answers offer, and what that offers
// in turn.
func everyUse(t *testing.T) (all []string) {
	var next []string
	for _, s := range command.Specs() {
		if s.OfMessages {
			next = append(next, body(2, fmt.Sprintf(`{"type":3,"name":%q,"target_id":"5"}`, s.Name), chat.Administrator, ""))
			continue
		}
		plain := true
		for _, o := range s.Options {
			if o.Kind == chat.SubCommand {
				plain = false
				next = append(next, body(2, fmt.Sprintf(`{"type":1,"name":%q,"options":[{"type":1,"name":%q,"options":[]}]}`, s.Name, o.Name), chat.Administrator, ""))
			}
		}
		if plain {
			next = append(next, body(2, fmt.Sprintf(`{"type":1,"name":%q}`, s.Name), chat.Administrator, ""))
		}
	}
	seen := map[string]bool{}
	for range 3 {
		all = append(all, next...)
		var found []string
		for _, b := range next {
			_, answer, _ := signs(t, b)
			for _, hit := range offered.FindAllStringSubmatch(string(answer), -1) {
				if id := hit[1]; !seen[id] {
					seen[id] = true
					on := fmt.Sprintf(`,"message":{"id":%q}`, flake(time.Minute))
					found = append(found, body(3, fmt.Sprintf(`{"custom_id":%q,"component_type":2}`, id), chat.Administrator, on),
						body(5, fmt.Sprintf(`{"custom_id":%q,"components":[]}`, id), chat.Administrator, on))
				}
			}
		}
		next = found
	}
	return append(all, next...)
}

// judge holds what came of a signed body to the rules.
func judge(t *testing.T, text string) (changed int) {
	t.Helper()
	status, answer, changed := signs(t, text)
	var a asked
	err := json.Unmarshal([]byte(text), &a)
	var odd *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	deep := errors.As(err, &syntax) && strings.Contains(err.Error(), "max depth") // what lies so deep is read as nothing
	readable := err == nil || errors.As(err, &odd)
	switch {
	case status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge:
		if changed > 0 {
			t.Errorf("refused, and %d things were changed", changed)
		}
		return changed
	case status != http.StatusOK || !readable && !deep:
		t.Fatalf("status %d, %s", status, answer)
	case changed > 0 && !deep && !a.permitted():
		t.Errorf("%d things were changed by who may not", changed)
	}
	x := simdiscord.Exchange{Call: simdiscord.Call{Method: http.MethodPost, Route: "/interactions/{interaction_id}/{interaction_token}/callback", Status: http.StatusNoContent},
		Target: "/api/v10/interactions/1/t/callback", Asked: http.Header{"Content-Type": {"application/json"}}, Sent: answer}
	if err := discordtest.Check(x); err != nil {
		t.Errorf("%s: %v", answer, err)
	}
	return changed
}

// TestEveryUseIsAnswered uses every command, and all that is offered then, three times: by somebody who may do all, by somebody who
// may do nothing, and by somebody whom a role makes an admin. Something is changed by the first and the last.
func TestEveryUseIsAnswered(t *testing.T) {
	quiet(t)
	uses := everyUse(t)
	if len(uses) < 2*len(command.Specs()) {
		t.Errorf("%d uses were found", len(uses))
	}
	by := map[string]int{}
	for _, text := range uses {
		by["all"] += judge(t, text)
		text = strings.Replace(text, `"permissions":"8"`, `"permissions":"0"`, 1)
		by["nothing"] += judge(t, text)
		by["role"] += judge(t, strings.Replace(text, `"roles":[]`, `"roles":["`+fuzzAdmins+`"]`, 1))
		by["another"] += judge(t, strings.Replace(text, `"id":"`+fuzzUser+`"`, `"id":"22"`, 1))
	}
	if by["all"] == 0 || by["role"] == 0 || by["nothing"] >= by["all"] {
		t.Errorf("changed %v", by)
	}
}

// hostile are values in the place of another.
var hostile = []any{nil, true, -1, json.Number("1e999"), "", "\u202e@everyone\x00", strings.Repeat("紡", 7000), []any{}, map[string]any{"id": []any{nil}}, deep(60)}

func deep(n int) any {
	var v any = "x"
	for range n {
		v = []any{v}
	}
	return v
}

// mangled gives the body once for each of its values and each that is put in its place, and once without it.
func mangled(t *testing.T, text string, yield func(string)) {
	var whole any
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		t.Fatal(err)
	}
	try := func() {
		if b, err := json.Marshal(whole); err == nil {
			yield(string(b))
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, was := range v {
				for _, bad := range hostile {
					v[k] = bad
					try()
				}
				delete(v, k)
				try()
				v[k] = was
				walk(was)
			}
		case []any:
			for k, was := range v {
				for _, bad := range hostile {
					v[k] = bad
					try()
				}
				v[k] = was
				walk(was)
			}
		}
	}
	walk(whole)
}

// TestMangledUses puts something else in the place of each value of what people send.
func TestMangledUses(t *testing.T) {
	quiet(t)
	n := 0
	for k, text := range append(everyUse(t), seeds()...) {
		if k%4 == 0 {
			mangled(t, text, func(bad string) { n++; judge(t, bad) })
		}
	}
	if n < 500 {
		t.Errorf("%d were tried", n)
	}
}

func quiet(t testing.TB) {
	was := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(was) })
}

// seeds are uses of every kind.
func seeds() []string {
	return []string{
		body(2, `{"type":1,"name":"doctor"}`, chat.ManageGuild, ""), body(2, `{"type":1,"name":"doctor"}`, 0, ""), body(2, `{"type":1,"name":"stop"}`, 0, ""),
		body(2, `{"type":3,"name":"doctor","target_id":"1"}`, chat.ManageGuild, ""), body(4, `{"type":1,"name":"help","options":[{"type":3,"name":"command","value":"st","focused":true}]}`, 0, ""),
		body(3, `{"custom_id":"1|help|page|l|1"}`, 0, `,"message":{"id":"`+flake(time.Minute)+`"}`), body(5, `{"custom_id":"1|setup|key|l","components":[{"type":18,"component":{"type":4,"custom_id":"key","value":"sk-x"}}]}`, chat.ManageGuild, ""),
		body(2, `{"type":1,"name":"persona","options":[{"type":1,"name":"create"}]}`, chat.ManageGuild, ""),
	}
}

// FuzzSignedInteractions posts whatever Discord could have signed: it is refused, or answered in a form that Discord takes, and only
// what is well formed and permitted changes anything.
func FuzzSignedInteractions(f *testing.F) {
	quiet(f)
	for _, s := range append(seeds(), `{"type":1}`, `{"type":2}`, `null`, `[]`, `{"type":77,"id":"1"}`,
		`{"type":2,"data":`+strings.Repeat(`{"options":[`, 20)+strings.Repeat(`]}`, 20)+`}`) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { judge(t, text) })
}
