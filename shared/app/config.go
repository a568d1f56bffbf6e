package app

import (
	"cmp"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/plan"
)

// Role is one thing that a process can be. A role loads only what it needs, so that admission neither has nor demands
// the model's key.
type Role string

// The roles.
const (
	Local        Role = "local" // all of them in one process
	Relaying     Role = "relay"
	Admission    Role = "admission"
	Planning     Role = "planning"
	Generation   Role = "generation"
	Interactions Role = "interactions"
	Commands     Role = "commands"
	Sweeper      Role = "sweeper"
	Undertaker   Role = "undertaker"
	Registrar    Role = "registrar"
)

// Config is what an installation sets. This file is the only one that reads the environment, through the function given.
type Config struct {
	Role         Role
	Addr         string // where the local process listens
	Data         string // where the local process keeps its data
	DiscordToken string
	TokenSecret  string // name or ARN of the secret that has the token, in place of the token itself
	PublicKey    string // of the Discord application, in hex: what signs interactions
	Endpoint     string // address at which Discord reaches the interactions function
	PublicURL    string // address at which the pictures of personas are reached from outside; "" for nowhere
	DiscordURL   string // base of Discord's REST API, another one than Discord's for tests
	Force        string // not empty: start although the bot seems to be at work elsewhere
	ModelURL     string
	ModelKey     string
	KeySecret    string // name or ARN of the secret that has the model's key, in place of the key itself
	Model        string
	ModelProbe   string // address of a model server that is looked for when none is set
	Tables       string // prefix of the table names on AWS
	Queues       string // prefix of the queue URLs on AWS
	SealKey      string // ARN of the key of KMS that keeps what servers' admins give in secret
	Guilds       string // that may use the operator's own model, separated by commas
	Daily        string // turns in a day that the operator's own model speaks at most
	GuildDaily   string // the same in one guild
	AllowHosts   string // hosts that people may name although they are not on the public internet, separated by commas
}

// setting is one row of the table of settings.
type setting struct {
	name   string
	roles  []Role
	needed bool   // by every role it belongs to but Local
	or     string // another setting that will do in its place
	def    string
	secret bool
	field  func(*Config) *string
	check  func(string) error
}

var settings = []setting{
	{name: "TSUMUGI_ADDR", roles: []Role{Local}, def: "127.0.0.1:8420", field: func(c *Config) *string { return &c.Addr }, check: checkAddr},
	{name: "TSUMUGI_DATA", roles: []Role{Local}, def: ".tsumugi", field: func(c *Config) *string { return &c.Data }},
	{name: "DISCORD_TOKEN", roles: []Role{Local, Relaying, Generation, Commands, Registrar}, needed: true, or: "DISCORD_TOKEN_SECRET", secret: true, field: func(c *Config) *string { return &c.DiscordToken }, check: checkToken},
	{name: "DISCORD_TOKEN_SECRET", roles: []Role{Relaying, Generation, Commands, Registrar}, field: func(c *Config) *string { return &c.TokenSecret }},
	{name: "DISCORD_PUBLIC_KEY", roles: []Role{Interactions, Registrar}, needed: true, field: func(c *Config) *string { return &c.PublicKey }, check: checkPublicKey},
	{name: "TSUMUGI_ENDPOINT", roles: []Role{Registrar}, needed: true, field: func(c *Config) *string { return &c.Endpoint }, check: checkURL},
	{name: "TSUMUGI_PUBLIC_URL", roles: []Role{Local, Generation, Commands}, field: func(c *Config) *string { return &c.PublicURL }, check: checkURL},
	{name: "TSUMUGI_DISCORD_URL", roles: []Role{Local, Relaying, Generation, Commands, Registrar}, field: func(c *Config) *string { return &c.DiscordURL }, check: checkURL},
	{name: "TSUMUGI_FORCE", roles: []Role{Local}, field: func(c *Config) *string { return &c.Force }},
	{name: "TSUMUGI_MODEL_URL", roles: []Role{Local, Generation, Commands}, needed: true, field: func(c *Config) *string { return &c.ModelURL }, check: checkURL},
	{name: "TSUMUGI_MODEL_KEY", roles: []Role{Local, Generation}, secret: true, field: func(c *Config) *string { return &c.ModelKey }, check: checkKey},
	{name: "TSUMUGI_MODEL_KEY_SECRET", roles: []Role{Generation}, field: func(c *Config) *string { return &c.KeySecret }},
	{name: "TSUMUGI_MODEL", roles: []Role{Local, Generation}, field: func(c *Config) *string { return &c.Model }},
	{name: "TSUMUGI_MODEL_PROBE", roles: []Role{Local}, def: "http://127.0.0.1:11434", field: func(c *Config) *string { return &c.ModelProbe }},
	{name: "TSUMUGI_GUILDS", roles: []Role{Local, Planning, Interactions, Commands}, field: func(c *Config) *string { return &c.Guilds }, check: checkGuilds},
	{name: "TSUMUGI_DAILY_TURNS", roles: []Role{Local, Planning}, field: func(c *Config) *string { return &c.Daily }, check: checkCount},
	{name: "TSUMUGI_GUILD_DAILY_TURNS", roles: []Role{Local, Planning}, field: func(c *Config) *string { return &c.GuildDaily }, check: checkCount},
	{name: "TSUMUGI_ALLOW_HOSTS", roles: []Role{Local, Generation, Commands}, field: func(c *Config) *string { return &c.AllowHosts }, check: checkHosts},
	{name: "TSUMUGI_SEAL_KEY", roles: []Role{Generation, Interactions, Commands}, needed: true, field: func(c *Config) *string { return &c.SealKey }},
	{name: "TSUMUGI_TABLES", roles: slices.Concat(onQueues, []Role{Registrar}), needed: true, field: func(c *Config) *string { return &c.Tables }},
	{name: "TSUMUGI_QUEUES", roles: onQueues, needed: true, field: func(c *Config) *string { return &c.Queues }, check: checkURL},
}

// onQueues are the roles on AWS that send to the queues or receive from them.
var onQueues = []Role{Relaying, Admission, Planning, Generation, Interactions, Commands, Sweeper, Undertaker}

// Load reads what the role needs. It reports everything that is wrong at once, by the names of the settings; values are
// not repeated, they may be secrets.
func Load(role Role, getenv func(string) string) (Config, error) {
	c := Config{Role: role}
	var wrong []string
	known := false
	for _, s := range settings {
		if !slices.Contains(s.roles, role) {
			continue
		}
		known = true
		v := cmp.Or(strings.TrimSpace(getenv(s.name)), s.def)
		if v == "" && s.needed && role != Local && (s.or == "" || strings.TrimSpace(getenv(s.or)) == "") {
			wrong = append(wrong, s.name+" is needed")
		}
		if v != "" && s.check != nil {
			if err := s.check(v); err != nil {
				wrong = append(wrong, s.name+": "+err.Error())
			}
		}
		*s.field(&c) = v
	}
	if !known {
		wrong = append(wrong, "there is no such role")
	}
	if len(wrong) > 0 {
		return c, fmt.Errorf("settings of %s: %s", role, strings.Join(wrong, "; "))
	}
	return c, nil
}

// Installation is the name of the installation on AWS, with which the names of its tables begin.
func (c Config) Installation() string { return strings.TrimSuffix(c.Tables, "-") }

// Allowed are the hosts that the operator allows people to name, each with a port or for all ports.
func (c Config) Allowed() []string { return list(c.AllowHosts) }

// Allows is what the operator allows on the model of the installation.
func (c Config) Allows() plan.Options {
	count := func(v string) int { n, _ := strconv.Atoi(v); return n } // it was checked
	return plan.Options{Guilds: list(c.Guilds), Daily: count(c.Daily), GuildDaily: count(c.GuildDaily)}
}

func list(v string) []string {
	return strings.FieldsFunc(v, func(c rune) bool { return c == ',' || c == ' ' })
}

// OnLambda tells whether Lambda runs this process, which its runtime's address shows. It is not a setting: nobody sets it.
func OnLambda(getenv func(string) string) bool { return getenv("AWS_LAMBDA_RUNTIME_API") != "" }

// Secret is the value of a secret that stands for the named setting: trimmed, and checked as the setting itself is. Its error
// does not repeat the value.
func Secret(name, value string) (string, error) {
	v := strings.TrimSpace(value)
	switch {
	case v == "":
		return "", errors.New("must not be empty")
	case v[0] == '{' || v[0] == '[' || v[0] == '"':
		return "", errors.New("must be the value alone, as plain text; it is JSON")
	}
	for _, s := range settings {
		if s.name == name && s.check != nil {
			return v, s.check(v)
		}
	}
	return v, nil
}

// String lists the settings that are set, secrets hidden; it is logged once at start.
func (c Config) String() string {
	out := []string{"role=" + string(c.Role)}
	for _, s := range settings {
		v := *s.field(&c)
		if v == "" || !slices.Contains(s.roles, c.Role) {
			continue
		}
		if s.secret {
			v = "(set)"
		}
		out = append(out, s.name+"="+Redacted(v))
	}
	return strings.Join(out, " ")
}

// Redacted is an address without its password and its query, which may hold a key; other text stays as it is.
func Redacted(v string) string {
	u, err := url.Parse(v)
	if err != nil || u.Host == "" {
		return v
	}
	u.RawQuery, u.Fragment = "", ""
	return u.Redacted()
}

func checkAddr(v string) error {
	_, port, err := net.SplitHostPort(v)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return errors.New("must be host:port, for example 127.0.0.1:8420")
	}
	return nil
}

func checkURL(v string) error {
	u, err := url.Parse(v)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("must be an http or https address")
	}
	return nil
}

// checkHosts finds what operators take for a host. The guard, which knows them better, refuses the rest at the start.
func checkHosts(v string) error {
	for _, h := range list(v) {
		if strings.ContainsAny(h, "/@*?#") {
			return errors.New("must be hosts with commas between them, each alone or with its port, for example 127.0.0.1:11434, llm.lan")
		}
	}
	return nil
}

func checkGuilds(v string) error {
	for _, g := range list(v) {
		if _, ok := chat.SnowflakeTime(g); !ok && g != guild.DirectMessages {
			return errors.New("must be ids of servers with commas between them; dm among them stands for direct messages")
		}
	}
	return nil
}

func checkCount(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < 0 || n > 1_000_000_000 {
		return errors.New("must be a number of turns; 0 for no cap")
	}
	return nil
}

func checkToken(v string) error {
	if !fitsHeader(v) {
		return errors.New("must be the bot token alone, as the developer portal shows it, without \"Bot \" and blanks")
	}
	return nil
}

func checkKey(v string) error {
	if !fitsHeader(v) {
		return errors.New("must be the key alone, without blanks")
	}
	return nil
}

// fitsHeader tells whether a token or key can be sent. One that cannot would fail each call as if the server were at fault.
func fitsHeader(v string) bool {
	const most = 4096 // servers take 8 KB of headers
	return len(v) <= most && !strings.ContainsFunc(v, func(c rune) bool { return c <= ' ' || c >= 0x7f })
}

func checkPublicKey(v string) error {
	if key, err := hex.DecodeString(v); err != nil || len(key) != ed25519.PublicKeySize {
		return errors.New("must be the application's public key, 64 hexadecimal digits, as the developer portal shows it")
	}
	return nil
}
