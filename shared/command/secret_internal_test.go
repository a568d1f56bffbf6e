package command

import (
	"net/url"
	"strings"
	"testing"

	"tsumugi/shared/guild"
)

func TestKeysAreTakenOutOfWhatIsPasted(t *testing.T) {
	for pasted, want := range map[string]string{
		"sk-abc": "sk-abc", " sk-abc\r\n": "sk-abc", "Bearer sk-abc": "sk-abc", "authorization: bearer sk-abc": "sk-abc",
		`"sk-abc"`: "sk-abc", "`sk-abc`": "sk-abc", "\ufeffsk-abc\u200b": "sk-abc", "OPENAI_API_KEY=sk-abc": "sk-abc",
		`export HF_TOKEN="hf_abc"`: "hf_abc", "a==": "a==", "A_B=c": "A_B=c", "BEARER\tx": "x",
		"": "", "  ": "", "Bearer ": "Bearer", "sk abc": "", "sk-\nabc": "", "sk–abc": "", "鍵": "", strings.Repeat("k", maxKey): strings.Repeat("k", maxKey), strings.Repeat("k", maxKey+1): "",
	} {
		got, ok := cleanKey(pasted)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q gives %q, %v, want %q", pasted, got, ok, want)
		}
	}
}

func TestLittleOfAKeyIsShown(t *testing.T) {
	for key, want := range map[string]string{"": "", "short": "", "elevenchars": "", "twelvechars1": "ars1", "sk-proj-1234567890": "7890"} {
		if got := last4(key); got != want {
			t.Errorf("of %q %q is shown, want %q", key, got, want)
		}
	}
}

func TestKeysAreKnownWhereTheyDoNotBelong(t *testing.T) {
	for _, key := range []string{
		"sk-proj-T3BlbkFJabcdefghijklmnop", "sk-ant-api03-abcdef", "gsk_abcdefghijklmnop", "AIzaSyA-1234567890abcdefghij", "nvapi-abc_def-ghi123", "Bearer abc",
		"0123456789abcdef0123456789abcdef.AbCdEf0123456789", "eyJhbGciOiJIUzI1NiJ9.e30.abc", "my key is sk-abcdefghijkl", "OPENAI_API_KEY=x", "qWer7yUiOpAsDfGhJkLzXcVb", "(sk-abcdefghijkl)",
	} {
		if !keyLike(key) {
			t.Errorf("%q passes for a name", key)
		}
	}
	for _, name := range []string{
		"gpt-4o-mini-2024-07-18", "anthropic/claude-3.5-sonnet-20241022:beta", "accounts/fireworks/models/llama-v3p1-405b-instruct",
		"meta-llama/Meta-Llama-3.1-405B-Instruct-Turbo", "ft:gpt-3.5-turbo-0613:house::7p4lURel", "deepseek-reasoner", "gemini-2.5-flash-preview-05-20",
		"hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M", "skald-1", "My server", "大きいサーバー", "OpenAI", "", "risk-averse-model-12",
	} {
		if keyLike(name) {
			t.Errorf("%q passes for a key", name)
		}
	}
}

func TestAddresses(t *testing.T) {
	for typed, want := range map[string]string{
		"https://llm.example.com/v1": "https://llm.example.com/v1", "llm.example.com": "https://llm.example.com", " https://a.example/v1/ \n": "https://a.example/v1",
		"http://10.0.0.1:8080": "http://10.0.0.1:8080", "https://a.example/v1/chat/completions": "https://a.example/v1", "https://a.example/v1#x": "https://a.example/v1",
		"https://a.example/d?api-version=2024-06-01":                                      "https://a.example/d?api-version=2024-06-01",
		"https://gateway.ai.cloudflare.com/v1/0123456789abcdef0123456789abcdef/ai/openai": "https://gateway.ai.cloudflare.com/v1/0123456789abcdef0123456789abcdef/ai/openai",
		"": "", "ftp://a.example": "", "https://": "", "javascript:alert(1)": "", "https://me:pass@a.example": "", "https://a.example/?key=abc": "", "https://a.example/sk-abcdefghijkl/v1": "",
		"https://a.example/?x=qWer7yUiOpAsDfGhJkLzXcVb": "", "https://a.example/" + strings.Repeat("a", guild.MaxURL): "", "https://a b": "",
	} {
		got, wrong := cleanAddress(typed)
		if got != want || (wrong == "") != (want != "") {
			t.Errorf("%q gives %q and %q, want %q", typed, got, wrong, want)
		}
	}
	if got := hostOf("https://a.example:8443/v1?secret=x"); got != "a.example:8443" {
		t.Errorf("people are shown %q", got)
	}
}

func FuzzWhatIsPasted(f *testing.F) {
	for _, s := range []string{"Bearer sk-abc", "export A_KEY='x'", "https://me:pass@a.example/v1?key=x#y", "http://[::1]:80/v1/chat/completions", "a b", "\ufeff\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, pasted string) {
		key, ok := cleanKey(pasted)
		if ok && (key == "" || len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) || !strings.Contains(pasted, key)) {
			t.Errorf("%q passes for the key %q", pasted, key)
		}
		if shown := last4(key); len(shown) > 4 || len(key) < shortKey && shown != "" {
			t.Errorf("of %q %q is shown", key, shown)
		}
		address, wrong := cleanAddress(pasted)
		if (address == "") != (wrong != "") {
			t.Errorf("%q gives %q and %q", pasted, address, wrong)
		}
		if again, _ := cleanAddress(address); address != "" && again != address {
			t.Errorf("%q becomes %q, and then %q", pasted, address, again)
		}
		if u, err := url.Parse(address); err != nil || u.User != nil || address != "" && u.Host == "" {
			t.Errorf("%q passes for the address %q", pasted, address)
		}
		_ = keyLike(pasted)
	})
}
