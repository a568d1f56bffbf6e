package aws

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"tsumugi/shared/app"
	"tsumugi/shared/guild"
)

// Roles that keep secrets do so under the key of their settings, in contexts of their installation, and ask once for what they need
// again and again.
func TestSealerIsTheInstallations(t *testing.T) {
	type call struct {
		KeyId             string //nolint:revive // as it is on the wire
		Plaintext         []byte
		CiphertextBlob    []byte
		EncryptionContext map[string]string
	}
	var mu sync.Mutex
	asked := map[string][]call{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var c call
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
			t.Error(err)
		}
		_, action, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		mu.Lock()
		defer mu.Unlock()
		asked[action] = append(asked[action], c)
		fmt.Fprintf(w, `{"CiphertextBlob":"c2VhbGVk","Plaintext":"c2stQ2FuYXJ5"}`)
	}))
	defer server.Close()
	for name, value := range map[string]string{"AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_PROFILE": "",
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_ENDPOINT_URL_KMS": server.URL} {
		t.Setenv(name, value)
	}
	set := map[string]string{"TSUMUGI_TABLES": "house-", "TSUMUGI_QUEUES": "https://queue.invalid/house-", "TSUMUGI_SEAL_KEY": "arn:key",
		"DISCORD_TOKEN": "token", "TSUMUGI_MODEL_URL": "http://model.invalid", "TSUMUGI_ALLOW_HOSTS": "llm.lan:8080"}
	o, err := open(t.Context(), app.Commands, func(name string) string { return set[name] }, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := o.reaching()
	if err != nil {
		t.Fatal(err)
	}
	in := guild.KeyContext("1001", "mine")
	box, err := p.Sealer.Seal(t.Context(), in, "sk-Canary")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if secret, err := p.Sealer.Open(t.Context(), in, box); err != nil || secret != "sk-Canary" {
			t.Fatalf("opened %q, %v", secret, err)
		}
	}
	if len(asked["Encrypt"]) != 1 || len(asked["Decrypt"]) != 1 {
		t.Fatalf("KMS was asked %v", asked)
	}
	for action, calls := range asked {
		if calls[0].KeyId != "arn:key" || calls[0].EncryptionContext["installation"] != "house" || calls[0].EncryptionContext["guild"] != "1001" {
			t.Errorf("%s was asked %+v", action, calls[0])
		}
	}
	for address, want := range map[string]bool{"http://llm.lan:8080": true, "http://llm.lan": false, "https://api.example.com": true, "https://169.254.169.254": false} {
		if err := p.Outbound.Check(address); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
}
