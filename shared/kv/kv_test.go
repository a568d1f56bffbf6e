package kv_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tsumugi/shared/kv"
)

func TestItemAccessorsTellTypesApart(t *testing.T) {
	item := kv.Item{Attrs: kv.Attrs{"s": "7", "n": int64(7), "b": []byte("7"), "e": ""}}
	if item.String("s") != "7" || item.String("n") != "" || item.String("none") != "" {
		t.Error("String reads other than strings")
	}
	if item.Int("n") != 7 || item.Int("s") != 0 || item.Int("none") != 0 {
		t.Error("Int reads other than integers")
	}
	if string(item.Bytes("b")) != "7" || item.Bytes("s") != nil {
		t.Error("Bytes reads other than bytes")
	}
	if !item.Has("e") || item.Has("none") {
		t.Error("Has does not tell empty from absent")
	}
}

func TestSize(t *testing.T) {
	key := kv.Key{Space: "not counted", Partition: "pp", Sort: "sss"}
	for _, c := range []struct {
		name  string
		attrs kv.Attrs
		want  int
	}{
		{"none", nil, 9 + 5},
		{"string", kv.Attrs{"ab": "cde"}, 9 + 5 + 5},
		{"bytes count, not runes", kv.Attrs{"織": "𝄞"}, 9 + 5 + 3 + 4},
		{"bytes", kv.Attrs{"a": []byte{1, 2}}, 9 + 5 + 3},
		{"integer", kv.Attrs{"a": int64(-1)}, 9 + 5 + 1 + 12},
	} {
		if got := kv.Size(kv.Item{Key: key, Attrs: c.attrs}); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestErrorsSayWhatMayBeRetried(t *testing.T) {
	for err, want := range map[error]bool{
		kv.ErrContention: true, kv.ErrThrottled: true, kv.ErrNotFound: false, kv.ErrTooLarge: false, kv.ErrInvalid: false,
		&kv.ConditionError{}: false, errors.New("connection lost"): false,
	} {
		if kv.Retryable(fmt.Errorf("write: %w", err)) != want {
			t.Errorf("%v: retryable is not %v", err, want)
		}
	}
	refusal := &kv.ConditionError{Op: 3, Key: kv.Key{Space: "a", Partition: "b", Sort: "c"}}
	if !errors.Is(refusal, kv.ErrCondition) || !strings.Contains(refusal.Error(), "op 3 of a/b/c") {
		t.Errorf("condition error %q", refusal)
	}
}
