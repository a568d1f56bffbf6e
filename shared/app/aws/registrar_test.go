package aws_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-lambda-go/cfn"

	"tsumugi/shared/app/aws"
	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

// formation is where CloudFormation takes answers.
type formation struct {
	mu      sync.Mutex
	answers []cfn.Response
	t       *testing.T
}

func (f *formation) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var a cfn.Response
	if err != nil || json.Unmarshal(body, &a) != nil || len(body) > 4096 || r.Method != http.MethodPut || r.Header["Content-Type"] != nil {
		f.t.Errorf("%s %v: %s (%v)", r.Method, r.Header, body, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers = append(f.answers, a)
}

// deployment is a stack of an installation whose Discord is a simulated one.
type deployment struct {
	*formation
	sim      *simdiscord.Server
	url      string // where CloudFormation takes answers
	endpoint string
	set      []string // settings
	sky      *cloud
}

func deploy(t *testing.T) *deployment {
	t.Helper()
	d := &deployment{formation: &formation{t: t}, sim: simdiscord.New(discordtest.Watch(t, simdiscord.Options{})), sky: &cloud{replies: map[string]string{
		"BatchGetItem": `{"Responses":{},"UnprocessedKeys":{}}`, "GetItem": `{}`, "PutItem": `{}`, "TransactWriteItems": `{}`, "GetSecretValue": `{"Name":"house/token","SecretString":"simulated"}`,
	}}}
	machine(t, d.sky)
	e, err := discord.NewEndpoint(d.sim.PublicKey(), func(context.Context, chat.Interaction) chat.Answer { return chat.Answer{Text: "hi"} })
	if err != nil {
		t.Fatal(err)
	}
	serve := func(h http.Handler) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	d.url, d.endpoint = serve(d.formation)+"/?X-Amz-Signature=s1gn", serve(e)+"/interactions"
	d.set = []string{"DISCORD_TOKEN_SECRET", "house/token", "DISCORD_PUBLIC_KEY", d.sim.PublicKey(), "TSUMUGI_ENDPOINT", d.endpoint,
		"TSUMUGI_DISCORD_URL", serve(d.sim) + "/api/v10"}
	t.Cleanup(d.sim.Close)
	return d
}

// invoke calls a fresh registrar with an event, and gives what CloudFormation was told and the log.
func (d *deployment) invoke(t *testing.T, event string) (cfn.Response, string) {
	t.Helper()
	before := len(d.answers)
	event = strings.ReplaceAll(event, "https://cloudformation-custom-resource-response-eucentral1.s3.eu-central-1.amazonaws.com/sample?X-Amz-Signature=sample", d.url)
	log := logged(t, func() {
		var nothing any
		if err := invoke(t, aws.Registrar(t.Context(), settings(d.set...)), []byte(event), &nothing); err != nil {
			t.Errorf("failed with %v", err)
		}
	})
	if strings.Contains(log, "s1gn") || strings.Contains(log, `simulated"`) {
		t.Errorf("a secret is in the log: %s", log)
	}
	if len(d.answers) == before {
		return cfn.Response{}, log
	}
	a := d.answers[len(d.answers)-1]
	if a.Status != cfn.StatusSuccess || a.PhysicalResourceID != "registration" || a.Data["Status"] == "" || a.Data["Interactions"] == "" || a.Data["Commands"] == "" {
		t.Errorf("answered %+v", a)
	}
	return a, log
}

func TestRegistrarServesAStack(t *testing.T) {
	d := deploy(t)
	count := func() map[string]int {
		n := map[string]int{}
		for _, c := range d.sim.Calls() {
			n[c.Method]++
		}
		return n
	}
	a, _ := d.invoke(t, string(sample(t, "registrar-create.json")))
	if s, _ := a.Data["Status"].(string); !strings.HasPrefix(s, "Everything is registered.") || a.RequestID != "5478764d-08ad-4ccc-b9c5-000000000001" ||
		a.LogicalResourceID != "Registration" || !strings.HasPrefix(a.StackID, "arn:aws:cloudformation:") {
		t.Errorf("answered %+v", a)
	}
	if n := count(); n["PUT"] != 1 || n["PATCH"] != 1 {
		t.Errorf("asked %v", n)
	}
	if puts := strings.Join(d.sky.of("PutItem"), " ") + strings.Join(d.sky.of("TransactWriteItems"), " "); !strings.Contains(puts, `"house-memory"`) ||
		!strings.Contains(puts, "attribute_not_exists") || !strings.Contains(puts, `"settings"`) {
		t.Errorf("stored %s", puts)
	}
	d.invoke(t, string(sample(t, "registrar-update.json")))
	if n := count(); n["PATCH"] != 1 {
		t.Errorf("asked %v", n)
	}
	if _, log := d.invoke(t, string(sample(t, "registrar-schedule.json"))); len(d.answers) != 2 || !strings.Contains(log, "Everything is registered.") {
		t.Errorf("the schedule answers to nobody, and was answered %d times; logged %s", len(d.answers)-2, log)
	}
	d.invoke(t, string(sample(t, "registrar-delete.json")))
	if n := count(); n["PATCH"] != 2 || len(d.answers) != 3 {
		t.Errorf("asked %v, answered %+v", n, d.answers)
	}
}

// Whatever is wrong, the stack goes on, and the log says what to repair.
func TestRegistrarNeverFailsAStack(t *testing.T) {
	create := string(sample(t, "registrar-create.json"))
	for name, c := range map[string]struct {
		spoil func(d *deployment)
		event string
		says  string
	}{
		"bad settings":      {func(d *deployment) { d.set[3] = "no key" }, create, "DISCORD_PUBLIC_KEY"},
		"no settings":       {func(d *deployment) { d.set = nil }, create, "TSUMUGI_ENDPOINT is needed"},
		"secret denied":     {func(d *deployment) { delete(d.sky.replies, "GetSecretValue") }, create, "secretsmanager:GetSecretValue"},
		"secret is JSON":    {func(d *deployment) { d.sky.replies["GetSecretValue"] = `{"SecretString":"{\"token\":\"simulated\"}"}` }, create, "plain text"},
		"secret is another": {func(d *deployment) { d.sky.replies["GetSecretValue"] = `{"SecretString":"other"}` }, create, "the secret house/token"},
		"wrong public key":  {func(d *deployment) { d.set[3] = strings.Repeat("0a", 32) }, create, "DiscordPublicKey"},
		"store denied": {func(d *deployment) {
			clear(d.sky.replies)
			d.sky.replies["GetSecretValue"] = `{"SecretString":"simulated"}`
		}, create, "table"},
		"no properties":     {func(d *deployment) { d.set[3] = "no key" }, strings.Replace(create, `"ResourceProperties": {`, `"ResourceProperties": null, "x": {`, 1), "DISCORD_PUBLIC_KEY"},
		"odd properties":    {func(d *deployment) { d.set[3] = "no key" }, strings.Replace(create, `"ResourceProperties": {`, `"ResourceProperties": "none", "x": {`, 1), "DISCORD_PUBLIC_KEY"},
		"odd kind":          {func(d *deployment) { d.set[3] = "no key" }, strings.Replace(create, `"Create"`, `"Frobnicate"`, 1), "DISCORD_PUBLIC_KEY"},
		"odd type of kind":  {func(d *deployment) { d.set[3] = "no key" }, strings.Replace(create, `"Create"`, `[7]`, 1), "DISCORD_PUBLIC_KEY"},
		"nothing to delete": {func(d *deployment) { d.set = nil }, string(sample(t, "registrar-delete.json")), "TSUMUGI_ENDPOINT is needed"},
	} {
		t.Run(name, func(t *testing.T) {
			d := deploy(t)
			c.spoil(d)
			a, log := d.invoke(t, c.event)
			if s, _ := a.Data["Status"].(string); !strings.Contains(s, c.says) {
				t.Errorf("answered %+v, which does not say %s", a, c.says)
			}
			if !strings.Contains(log, `"level":"ERROR","msg":"registration failed"`) || !strings.Contains(log, `"fix":"`) {
				t.Errorf("logged %s", log)
			}
		})
	}
	t.Run("no event is wrong", func(t *testing.T) {
		d := deploy(t)
		for _, event := range []string{`null`, `{}`, `"by hand"`, `[]`, `7`} {
			if _, log := d.invoke(t, event); !strings.Contains(log, "Everything is registered.") {
				t.Errorf("%s: logged %s", event, log)
			}
		}
	})
}
