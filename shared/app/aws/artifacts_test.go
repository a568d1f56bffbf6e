package aws_test

import (
	"debug/elf"
	"debug/gosym"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// links is what tells roles apart: the rooms and services of which each function has code, for the linker leaves out what its
// main does not reach.
var links = map[string][]string{
	"Relay":        {"discord", "secretsmanager"},
	"Admission":    {"admit", "telemetry/xray"},
	"Planning":     {"plan", "telemetry/xray"},
	"Generation":   {"discord", "kms", "outbound", "prompt", "provider/openai", "seal", "seal/kms", "secretsmanager", "speech", "telemetry/xray", "turn"},
	"Interactions": {"command", "discord", "kms", "plan", "seal", "seal/kms", "telemetry/xray"},
	"Commands":     {"command", "discord", "kms", "outbound", "plan", "provider/openai", "seal", "seal/kms", "secretsmanager", "telemetry/xray"},
	"Sweeper":      {"telemetry/xray"},
	"Undertaker":   {"telemetry/xray"},
	"Registrar":    {"command", "discord", "secretsmanager"},
}

// TestArtifacts looks at what the build of each function left.
func TestArtifacts(t *testing.T) {
	dir := given(t, "TSUMUGI_ARTIFACTS")
	var apart []string
	for _, l := range links {
		apart = append(apart, l...)
	}
	for _, f := range deployed(t).Functions {
		b, err := elf.Open(filepath.Join(dir, f.Name, "bootstrap"))
		if err != nil {
			t.Error(err)
			continue
		}
		if b.Machine != elf.EM_AARCH64 || b.Type != elf.ET_EXEC {
			t.Errorf("%s is %s for %s", f.Name, b.Type, b.Machine)
		}
		for _, p := range b.Progs {
			if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
				t.Errorf("%s is not static", f.Name)
			}
		}
		for _, s := range []string{".symtab", ".debug_info"} {
			if b.Section(s) != nil {
				t.Errorf("%s is not stripped: it has %s", f.Name, s)
			}
		}
		has := slices.DeleteFunc(rooms(t, b), func(room string) bool { return !slices.Contains(apart, room) })
		if !slices.Equal(has, links[f.Name]) {
			t.Errorf("%s links %q, its role is %q: what it does not use weighs on its cold start", f.Name, has, links[f.Name])
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// rooms are those of ours and the services of AWS that a binary has functions of, in order. What only prepares variables of a
// package does not count: it runs for every package that is imported.
func rooms(t *testing.T, b *elf.File) []string {
	t.Helper()
	lines, err := b.Section(".gopclntab").Data() // it is not stripped, for stack traces need it
	if err != nil {
		t.Fatal(err)
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(lines, b.Section(".text").Addr))
	if err != nil {
		t.Fatal(err)
	}
	var rooms []string
	for _, f := range table.Funcs {
		for _, of := range []string{"tsumugi/shared/", "github.com/aws/aws-sdk-go-v2/service/"} {
			room, name, _ := strings.Cut(strings.TrimPrefix(f.Name, of), ".")
			if strings.HasPrefix(f.Name, of) && !strings.HasPrefix(name, "init") && !strings.HasPrefix(name, "map.init") {
				rooms = append(rooms, room)
			}
		}
	}
	slices.Sort(rooms)
	return slices.Compact(rooms)
}
