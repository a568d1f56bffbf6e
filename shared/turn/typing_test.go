package turn

import (
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
)

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		content string
		want    time.Duration
	}{
		{"Hm.", 750 * time.Millisecond},
		{strings.Repeat("あ", 100), time.Second},
		{strings.Repeat("x", 1900), 4 * time.Second},
		{"```\n" + strings.Repeat("x", 100-8) + "\n```", 1250 * time.Millisecond},
		{"```\n" + strings.Repeat("x", 1900) + "\n```", 5 * time.Second},
	} {
		if got := keys(c.content); got != c.want {
			t.Errorf("%d characters take %v, want %v", len(c.content), got, c.want)
		}
	}
}

func TestBreath(t *testing.T) {
	longer, seen := 0, map[time.Duration]bool{}
	for k := range 4000 {
		d := breath("123456789012345678", 1, k)
		if d != breath("123456789012345678", 1, k) {
			t.Fatal("the same pause is another one the next time")
		}
		if d < 250*time.Millisecond || d > 2250*time.Millisecond {
			t.Fatalf("a pause of %v", d)
		}
		if d > 1500*time.Millisecond {
			longer++
		}
		seen[d] = true
	}
	if longer < 200 || longer > 600 || len(seen) < 3900 { // a quarter times a third and more of them are above
		t.Errorf("%d pauses are longer than usual, %d are different", longer, len(seen))
	}
	if breath("1", 0, 1) == breath("1", 0, 2) || breath(chat.EventID("1"), 0, 1) == breath("2", 0, 1) {
		t.Error("every pause is the same")
	}
}
