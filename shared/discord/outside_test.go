package discord_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOutsideVerifier: Discord's own library judges the same requests, and takes exactly those that are signed; of what is
// signed we refuse what is no interaction, and what was signed at another time.
func TestOutsideVerifier(t *testing.T) {
	dir := os.Getenv("DISCORD_TEST_MODULES")
	if dir == "" {
		t.Skip("DISCORD_TEST_MODULES does not name a node_modules: .ci/conform installs one and runs this test")
	}
	cases := signatures()
	names := slices.Sorted(maps.Keys(cases))
	args := []string{filepath.Join("..", "sim", "discord", "testdata", "verifykey.cjs"), dir, publicKey()}
	for _, name := range names {
		text, err := json.Marshal(cases[name].posted)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, string(text))
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	out, err := exec.CommandContext(ctx, "node", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(names) {
		t.Fatalf("%d verdicts on %d requests", len(lines), len(names))
	}
	for n, name := range names {
		c := cases[name]
		if want := fmt.Sprintf(`"good":%t}`, c.theirs); !strings.HasSuffix(lines[n], want) {
			t.Errorf("%s: they say %s, want %s", name, lines[n], want)
		}
		if c.status == 200 && !c.theirs {
			t.Errorf("%s: taken here, and refused by Discord's own library", name)
		}
	}
}
