package app_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tsumugi/shared/app"
)

// secret stands for a token or a key: no error and no log line may repeat it.
const secret = "s3cret-value"

// complete is every setting with a good value.
func complete() map[string]string {
	return map[string]string{
		"TSUMUGI_ADDR":        "127.0.0.1:9000",
		"TSUMUGI_DATA":        "somewhere",
		"DISCORD_TOKEN":       secret,
		"TSUMUGI_DISCORD_URL": "http://127.0.0.1:9001/api/v10",
		"TSUMUGI_MODEL_URL":   "https://model.invalid/v1",
		"TSUMUGI_MODEL_KEY":   secret,
		"TSUMUGI_MODEL":       "tiny",
		"TSUMUGI_MODEL_PROBE": "http://127.0.0.1:9002",
		"TSUMUGI_TABLES":      "tsumugi-",
		"TSUMUGI_QUEUES":      "https://queue.invalid/1/tsumugi-",
		"TSUMUGI_SEAL_KEY":    "arn:aws:kms:eu-west-1:123456789012:key/1",
		"TSUMUGI_ALLOW_HOSTS": "127.0.0.1:11434, llm.lan",

		"TSUMUGI_GUILDS":            "1313131313131313131, dm",
		"TSUMUGI_DAILY_TURNS":       "500",
		"TSUMUGI_GUILD_DAILY_TURNS": "0",

		"DISCORD_TOKEN_SECRET":     "tsumugi/token",
		"DISCORD_PUBLIC_KEY":       strings.Repeat("0a", 32),
		"TSUMUGI_ENDPOINT":         "https://endpoint.invalid/interactions",
		"TSUMUGI_MODEL_KEY_SECRET": "tsumugi/key",
	}
}

// from is an environment that notes what it was asked.
func from(env map[string]string, asked map[string]bool) func(string) string {
	return func(name string) string {
		asked[name] = true
		return env[name]
	}
}

func TestBadSettings(t *testing.T) {
	cases := []struct {
		name  string
		role  app.Role
		set   map[string]string
		wrong []string // what the error says
	}{
		{"a port without a host", app.Local, map[string]string{"TSUMUGI_ADDR": "8420"}, []string{"TSUMUGI_ADDR", "127.0.0.1:8420"}},
		{"a URL as an address", app.Local, map[string]string{"TSUMUGI_ADDR": "http://127.0.0.1:8420"}, []string{"TSUMUGI_ADDR"}},
		{"a port that is a word", app.Local, map[string]string{"TSUMUGI_ADDR": "127.0.0.1:teatime"}, []string{"TSUMUGI_ADDR"}},
		{"a port that is too high", app.Local, map[string]string{"TSUMUGI_ADDR": "127.0.0.1:84200"}, []string{"TSUMUGI_ADDR"}},
		{"a token with its scheme", app.Local, map[string]string{"DISCORD_TOKEN": "Bot " + secret}, []string{"DISCORD_TOKEN", "without \"Bot \""}},
		{"a token of two lines", app.Relaying, map[string]string{"DISCORD_TOKEN": secret + "\n" + secret}, []string{"DISCORD_TOKEN"}},
		{"a model URL without a scheme", app.Generation, map[string]string{"TSUMUGI_MODEL_URL": secret + ".invalid/v1"}, []string{"TSUMUGI_MODEL_URL", "http"}},
		{"a model URL of another kind", app.Local, map[string]string{"TSUMUGI_MODEL_URL": "ftp://" + secret}, []string{"TSUMUGI_MODEL_URL", "http"}},
		{"a URL that cannot be read", app.Local, map[string]string{"TSUMUGI_DISCORD_URL": "http://" + secret + "%zz"}, []string{"TSUMUGI_DISCORD_URL"}},
		{"no token where one is needed", app.Relaying, map[string]string{"DISCORD_TOKEN": "", "DISCORD_TOKEN_SECRET": ""}, []string{"DISCORD_TOKEN is needed"}},
		{"a public key that is short", app.Interactions, map[string]string{"DISCORD_PUBLIC_KEY": "0a0a"}, []string{"DISCORD_PUBLIC_KEY", "64"}},
		{"a public key that is none", app.Registrar, map[string]string{"DISCORD_PUBLIC_KEY": strings.Repeat("zz", 32)}, []string{"DISCORD_PUBLIC_KEY"}},
		{"blanks are no value", app.Generation, map[string]string{"TSUMUGI_MODEL_URL": "  "}, []string{"TSUMUGI_MODEL_URL is needed"}},
		{"no queues", app.Sweeper, map[string]string{"TSUMUGI_QUEUES": "", "TSUMUGI_TABLES": ""}, []string{"TSUMUGI_QUEUES is needed", "TSUMUGI_TABLES is needed"}},
		{"an address as an allowed host", app.Local, map[string]string{"TSUMUGI_ALLOW_HOSTS": "llm.lan, http://" + secret}, []string{"TSUMUGI_ALLOW_HOSTS", "alone"}},
		{"a guild's name", app.Planning, map[string]string{"TSUMUGI_GUILDS": "1313131313131313131, " + secret}, []string{"TSUMUGI_GUILDS", "ids of servers"}},
		{"a cap that is no number", app.Local, map[string]string{"TSUMUGI_DAILY_TURNS": secret, "TSUMUGI_GUILD_DAILY_TURNS": "-1"}, []string{"TSUMUGI_DAILY_TURNS", "TSUMUGI_GUILD_DAILY_TURNS", "0 for no cap"}},
		{"no key to seal with", app.Commands, map[string]string{"TSUMUGI_SEAL_KEY": ""}, []string{"TSUMUGI_SEAL_KEY is needed"}},
		{"a key with its scheme", app.Generation, map[string]string{"TSUMUGI_MODEL_KEY": "Bearer " + secret}, []string{"TSUMUGI_MODEL_KEY", "alone"}},
		{"everything at once", app.Local, map[string]string{"TSUMUGI_ADDR": "x", "TSUMUGI_MODEL_URL": "x", "DISCORD_TOKEN": "x y"}, []string{"TSUMUGI_ADDR", "TSUMUGI_MODEL_URL", "DISCORD_TOKEN"}},
		{"a role that does not exist", app.Role("gardener"), nil, []string{"gardener"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			env := complete()
			maps.Copy(env, c.set)
			_, err := app.Load(c.role, from(env, map[string]bool{}))
			if err == nil {
				t.Fatal("accepted")
			}
			for _, text := range append(c.wrong, string(c.role)) {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("the error %q does not say %q", err, text)
				}
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error repeats a value: %q", err)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has more than one line: %q", err)
			}
		})
	}
}

func TestLocalNeedsNothing(t *testing.T) {
	c, err := app.Load(app.Local, from(nil, map[string]bool{}))
	if err != nil {
		t.Fatal(err)
	}
	want := app.Config{Role: app.Local, Addr: "127.0.0.1:8420", Data: ".tsumugi", ModelProbe: "http://127.0.0.1:11434"}
	if c != want {
		t.Errorf("loaded %+v, want %+v", c, want)
	}
}

// What a role does not read it cannot lose: admission has neither the token nor the model's key.
func TestRolesLoadOnlyWhatTheyNeed(t *testing.T) {
	cases := map[app.Role][]string{
		app.Local: {"DISCORD_TOKEN", "TSUMUGI_ADDR", "TSUMUGI_ALLOW_HOSTS", "TSUMUGI_DAILY_TURNS", "TSUMUGI_DATA", "TSUMUGI_DISCORD_URL", "TSUMUGI_FORCE",
			"TSUMUGI_GUILDS", "TSUMUGI_GUILD_DAILY_TURNS", "TSUMUGI_MODEL", "TSUMUGI_MODEL_KEY",
			"TSUMUGI_MODEL_PROBE", "TSUMUGI_MODEL_URL", "TSUMUGI_PUBLIC_URL"},
		app.Relaying:  {"DISCORD_TOKEN", "DISCORD_TOKEN_SECRET", "TSUMUGI_DISCORD_URL", "TSUMUGI_QUEUES", "TSUMUGI_TABLES"},
		app.Admission: {"TSUMUGI_QUEUES", "TSUMUGI_TABLES"},
		app.Planning:  {"TSUMUGI_DAILY_TURNS", "TSUMUGI_GUILDS", "TSUMUGI_GUILD_DAILY_TURNS", "TSUMUGI_QUEUES", "TSUMUGI_TABLES"},
		app.Generation: {"DISCORD_TOKEN", "DISCORD_TOKEN_SECRET", "TSUMUGI_ALLOW_HOSTS", "TSUMUGI_DISCORD_URL", "TSUMUGI_MODEL", "TSUMUGI_MODEL_KEY",
			"TSUMUGI_MODEL_KEY_SECRET", "TSUMUGI_MODEL_URL", "TSUMUGI_PUBLIC_URL", "TSUMUGI_QUEUES", "TSUMUGI_SEAL_KEY", "TSUMUGI_TABLES"},
		app.Interactions: {"DISCORD_PUBLIC_KEY", "TSUMUGI_GUILDS", "TSUMUGI_QUEUES", "TSUMUGI_SEAL_KEY", "TSUMUGI_TABLES"},
		app.Commands: {"DISCORD_TOKEN", "DISCORD_TOKEN_SECRET", "TSUMUGI_ALLOW_HOSTS", "TSUMUGI_DISCORD_URL", "TSUMUGI_GUILDS", "TSUMUGI_MODEL_URL",
			"TSUMUGI_PUBLIC_URL", "TSUMUGI_QUEUES", "TSUMUGI_SEAL_KEY", "TSUMUGI_TABLES"},
		app.Sweeper:    {"TSUMUGI_QUEUES", "TSUMUGI_TABLES"},
		app.Undertaker: {"TSUMUGI_QUEUES", "TSUMUGI_TABLES"},
		app.Registrar:  {"DISCORD_PUBLIC_KEY", "DISCORD_TOKEN", "DISCORD_TOKEN_SECRET", "TSUMUGI_DISCORD_URL", "TSUMUGI_ENDPOINT", "TSUMUGI_TABLES"},
	}
	for role, want := range cases {
		t.Run(string(role), func(t *testing.T) {
			asked := map[string]bool{}
			c, err := app.Load(role, from(complete(), asked))
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Sorted(maps.Keys(asked)); !slices.Equal(got, want) {
				t.Errorf("it reads %q, want %q", got, want)
			}
			reads := func(name string) bool { return slices.Contains(want, name) }
			if (c.DiscordToken != "") != reads("DISCORD_TOKEN") || (c.ModelKey != "") != reads("TSUMUGI_MODEL_KEY") {
				t.Errorf("it has secrets that it does not need, or lacks those it needs: %s", c)
			}
		})
	}
}

func TestStringHidesSecrets(t *testing.T) {
	c, err := app.Load(app.Local, from(complete(), map[string]bool{}))
	if err != nil {
		t.Fatal(err)
	}
	s := c.String()
	if strings.Contains(s, secret) {
		t.Errorf("a secret is in %q", s)
	}
	for _, want := range []string{"role=local", "DISCORD_TOKEN=(set)", "TSUMUGI_MODEL_KEY=(set)", "TSUMUGI_ADDR=127.0.0.1:9000"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q lacks %s", s, want)
		}
	}
	if strings.Contains(s, "TSUMUGI_TABLES") {
		t.Errorf("%q has a setting of another role", s)
	}
}

// A password in a URL is a secret too.
func TestPasswordInURLIsHidden(t *testing.T) {
	env := complete()
	env["TSUMUGI_MODEL_URL"] = "https://user:" + secret + "@model.invalid/v1"
	c, err := app.Load(app.Local, from(env, map[string]bool{}))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(c.String(), secret) {
		t.Errorf("the password is in %q", c)
	}
	if c.ModelURL != env["TSUMUGI_MODEL_URL"] {
		t.Errorf("the URL was changed to %q", c.ModelURL)
	}
}
