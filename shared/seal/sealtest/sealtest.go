// Package sealtest holds a guild.Sealer to its contract. What lives here: the conformance suite, a fuzz target, and a twin in
// memory that passes both. What must not live here: tests of one way to seal (in its own package) and anything that production
// code imports.
package sealtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"tsumugi/shared/guild"
)

// Harness tells the suite how to open a sealer.
type Harness struct {
	// New prepares one case. The function that it returns opens a sealer that has the key of this name: asked twice for one name
	// it gives two sealers with one key, as two processes have it. What must be closed is closed with t.Cleanup.
	New func(t testing.TB) func(key string) guild.Sealer
}

// Run runs the suite.
func Run(t *testing.T, h Harness) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, open func(key string) guild.Sealer)
	}{
		{"what is sealed opens", roundTrip},
		{"sizes", sizes},
		{"contexts are told apart", contexts},
		{"a context is taken as it is", contextIsNotKept},
		{"another process opens it", anotherProcess},
		{"another key is refused", anotherKey},
		{"a changed byte is refused", changedBytes},
		{"a piece is refused", pieces},
		{"garbage is refused", garbage},
		{"two of the same differ", differs},
		{"many at once", manyAtOnce},
		{"an ended context", endedContext},
		{"no secret shows", canary},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, h.New(t)) })
	}
}

// secret is what cases seal; no error and no sealed bytes may have it.
const secret = "sk-Canary-0123456789-abcdefghij"

var in = guild.Context{"guild": "1001", "provider": "mine", "secret": "provider key"}

func sealed(t *testing.T, s guild.Sealer, in guild.Context, text string) guild.Sealed {
	t.Helper()
	out, err := s.Seal(t.Context(), in, text)
	if err != nil {
		t.Fatalf("seal %d bytes in %v: %v", len(text), in, err)
	}
	if len(out) == 0 {
		t.Fatal("sealed to nothing")
	}
	return out
}

func opens(t *testing.T, s guild.Sealer, in guild.Context, box guild.Sealed, want string) {
	t.Helper()
	before := slices.Clone(box)
	got, err := s.Open(t.Context(), in, box)
	if err != nil || got != want {
		t.Errorf("open in %v: %d bytes of %d, equal: %t, error %v", in, len(got), len(want), got == want, err)
	}
	if !bytes.Equal(before, box) {
		t.Error("to open it changed it")
	}
}

func refuses(t *testing.T, s guild.Sealer, in guild.Context, box guild.Sealed, what string) {
	t.Helper()
	got, err := s.Open(t.Context(), in, box)
	if got != "" || !errors.Is(err, guild.ErrUnsealable) {
		t.Errorf("%s: %d bytes came out, error %v", what, len(got), err)
	}
	quiet(t, err)
}

// quiet fails when an error repeats the secret.
func quiet(t *testing.T, err error) {
	t.Helper()
	if err != nil && (strings.Contains(err.Error(), "Canary") || strings.Contains(err.Error(), "0123456789")) {
		t.Errorf("the error repeats the secret: %v", err)
	}
}

func roundTrip(t *testing.T, open func(string) guild.Sealer) {
	s := open("a")
	for _, text := range []string{secret, "x", " ", "\x00", "\xff\xfe not UTF-8", "鍵 🔑", "two\nlines"} {
		opens(t, s, in, sealed(t, s, in, text), text)
	}
}

func sizes(t *testing.T, open func(string) guild.Sealer) {
	s := open("a")
	for _, n := range []int{1, 2, 15, 16, 17, 255, 256, guild.MaxSecret - 1, guild.MaxSecret} {
		text := strings.Repeat("k", n)
		opens(t, s, in, sealed(t, s, in, text), text)
	}
	for _, text := range []string{"", strings.Repeat(secret, guild.MaxSecret)[:guild.MaxSecret+1], strings.Repeat(secret, 1<<15)} {
		out, err := s.Seal(t.Context(), in, text)
		if out != nil || err == nil || errors.Is(err, guild.ErrUnsealable) {
			t.Errorf("%d bytes were sealed to %d, error %v", len(text), len(out), err)
		}
		quiet(t, err)
	}
}

// alike are contexts that a careless encoding takes for one another.
func alike() []guild.Context {
	return []guild.Context{
		in,
		{"guild": "1001", "provider": "mine"},
		{"guild": "1002", "provider": "mine", "secret": "provider key"},
		{"provider": "1001", "guild": "mine", "secret": "provider key"},
		{"Guild": "1001", "provider": "mine", "secret": "provider key"},
		{"guild": "", "provider": "mine", "secret": "provider key"},
		{"installation": "1001"},
		{},
		{"": ""}, {"a": ""}, {"": "a"}, {"a": "a"},
		{"ab": "c"}, {"a": "bc"}, {"abc": ""}, {"": "abc"},
		{"a": "b", "c": "d"}, {"a": "bcd"}, {"a": "b,c=d"}, {"a": "b\x00c\x00d"}, {"a=b&c": "d"}, {"a": `b","c":"d`}, {"a": "d", "c": "b"},
		{"a": "="}, {"a": "%"}, {"a": "+"}, {"a": "~"}, {"a": "%3D"}, {"a": "%25"}, {"a": " "}, {"=": "a"}, {"=installation": "1001"},
		{"a": "é"}, {"a": "e\u0301"}, {"a": "🔑"}, {"鍵": "値"}, {"a": "\u202e"}, {"a": strings.Repeat("長", 200)}, {"a": strings.Repeat("長", 199)},
	}
}

func contexts(t *testing.T, open func(string) guild.Sealer) {
	s := open("a")
	all := alike()
	for i, mine := range all {
		box := sealed(t, s, mine, secret)
		opens(t, s, mine, box, secret)
		for j, other := range all {
			// Each with its neighbours, and the first with all: what is alike stands together.
			if i != j && (i == 0 || j == 0 || i-j <= 6 && j-i <= 6) {
				refuses(t, s, other, box, fmt.Sprintf("sealed in %q, opened in %q", mine, other))
			}
		}
	}
	opens(t, s, nil, sealed(t, s, guild.Context{}, secret), secret) // none is an empty one
}

func contextIsNotKept(t *testing.T, open func(string) guild.Sealer) {
	s := open("a")
	mine := guild.Context{"guild": "1001"}
	box := sealed(t, s, mine, secret)
	opens(t, s, mine, box, secret)
	if len(mine) != 1 {
		t.Errorf("the context was changed to %v", mine)
	}
	mine["guild"] = "1002"
	refuses(t, s, mine, box, "changed in place")
}

func anotherProcess(t *testing.T, open func(string) guild.Sealer) {
	box := sealed(t, open("a"), in, secret)
	opens(t, open("a"), in, box, secret)
	opens(t, open("a"), in, sealed(t, open("a"), in, secret), secret)
}

func anotherKey(t *testing.T, open func(string) guild.Sealer) {
	a, b := open("a"), open("b")
	mine, theirs := sealed(t, a, in, secret), sealed(t, b, in, secret)
	refuses(t, b, in, mine, "another key")
	refuses(t, a, in, theirs, "another key")
	opens(t, a, in, mine, secret)
	opens(t, b, in, theirs, secret)
}

func changedBytes(t *testing.T, open func(string) guild.Sealer) {
	s := open("a")
	box := sealed(t, s, in, secret)
	for i := range box {
		changed := slices.Clone(box)
		changed[i] ^= 1 << (i % 8)
		refuses(t, s, in, changed, fmt.Sprintf("byte %d of %d", i, len(box)))
	}
	opens(t, s, in, box, secret)
}

func pieces(t *testing.T, open func(string) guild.Sealer) {
	s := open("a")
	box := sealed(t, s, in, secret)
	for n := range len(box) {
		refuses(t, s, in, box[:n], fmt.Sprintf("the first %d bytes of %d", n, len(box)))
	}
	refuses(t, s, in, box[1:], "without the first byte")
	refuses(t, s, in, append(slices.Clone(box), 0), "with a byte more")
	refuses(t, s, in, append(slices.Clone(box), box...), "twice")
	refuses(t, s, in, nil, "nothing")
}

func garbage(t *testing.T, open func(string) guild.Sealer) {
	s := open("a")
	first := sealed(t, s, in, secret)[0]
	for _, n := range []int{1, 12, 13, 28, 29, 30, 64, 184, 4096, 6144, 6145, 6146, 1 << 16} {
		for _, of := range []byte{0, first, 0xff} {
			box := bytes.Repeat([]byte{of}, n)
			refuses(t, s, in, box, fmt.Sprintf("%d bytes of %d", n, of))
			box[0] = first
			refuses(t, s, in, box, fmt.Sprintf("%d bytes of %d behind the right one", n-1, of))
		}
	}
}

func differs(t *testing.T, open func(string) guild.Sealer) {
	s := open("a")
	seen := map[string]bool{}
	for range 20 {
		seen[string(sealed(t, s, in, secret))] = true
	}
	if len(seen) != 20 {
		t.Errorf("20 times sealed, %d are different: who reads them knows which secrets are the same", len(seen))
	}
}

func manyAtOnce(t *testing.T, open func(string) guild.Sealer) {
	s := open("a")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			mine, text := guild.Context{"guild": fmt.Sprint(i)}, fmt.Sprintf("%s-%d", secret, i)
			for range 5 {
				box, err := s.Seal(t.Context(), mine, text)
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := s.Open(t.Context(), mine, box); err != nil || got != text {
					t.Errorf("another secret came out, or none: %v", err)
				}
				if _, err := s.Open(t.Context(), guild.Context{"guild": fmt.Sprint(i + 1)}, box); !errors.Is(err, guild.ErrUnsealable) {
					t.Errorf("opened in another context: %v", err)
				}
			}
		})
	}
	all.Wait()
}

func endedContext(t *testing.T, open func(string) guild.Sealer) {
	s := open("a")
	box := sealed(t, s, in, secret)
	opens(t, s, in, box, secret)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out, err := s.Seal(ctx, in, secret); out != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("sealed to %d bytes, error %v", len(out), err)
	}
	if got, err := s.Open(ctx, in, box); got != "" || !errors.Is(err, context.Canceled) || errors.Is(err, guild.ErrUnsealable) {
		t.Errorf("%d bytes came out, error %v", len(got), err)
	}
	opens(t, s, in, box, secret)
}

func canary(t *testing.T, open func(string) guild.Sealer) {
	s := open("a")
	long := strings.Repeat(secret, guild.MaxSecret/len(secret))
	for _, text := range []string{secret, long} {
		box := sealed(t, s, in, text)
		for i := range len(secret) - 8 {
			if bytes.Contains(box, []byte(secret[i:i+8])) {
				t.Errorf("what is sealed shows %q", secret[i:i+8])
			}
		}
		refuses(t, s, guild.Context{"guild": text}, box, "another context")
	}
}

// Fuzz is a fuzz target: no bytes but those that were sealed open, and none make Open panic or fail otherwise.
func Fuzz(f *testing.F, s guild.Sealer) {
	box, err := s.Seal(f.Context(), in, secret)
	if err != nil {
		f.Fatal(err)
	}
	for _, n := range []int{0, 1, 2, 13, 29, len(box) / 2, len(box) - 1, len(box)} {
		f.Add([]byte(box[:min(n, len(box))]), "guild", "1001")
	}
	f.Fuzz(func(t *testing.T, changed []byte, key, value string) {
		if bytes.Equal(changed, box) {
			opens(t, s, in, changed, secret)
		} else {
			refuses(t, s, in, changed, "changed")
		}
		mine := guild.Context{key: value}
		refuses(t, s, mine, box, "another context")
		opens(t, s, mine, sealed(t, s, mine, secret), secret)
	})
}
