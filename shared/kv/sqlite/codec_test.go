package sqlite

import (
	"errors"
	"reflect"
	"testing"

	"tsumugi/shared/kv"
)

func TestDecodeRefusesDamage(t *testing.T) {
	whole := encode(kv.Attrs{"text": "織り", "n": int64(-300), "b": []byte{0, 1}, "e": ""})
	for i := range whole {
		attrs, err := decode(whole[:i])
		if err == nil && len(attrs) == 4 {
			t.Errorf("%d of %d bytes decode to the whole item", i, len(whole))
		}
	}
	for _, b := range [][]byte{nil, {format + 1}, {format, 0xff}, {format, 1, 'a', 'x', 1, 1}, {format, 1, 'a', 's', 9}, {format, 1, 'a', 'i'}} {
		if _, err := decode(b); !errors.Is(err, errFormat) {
			t.Errorf("decode(%v): %v", b, err)
		}
	}
}

func TestDecodeSharesNoMemory(t *testing.T) {
	want := kv.Attrs{"b": []byte("kept"), "s": "kept"}
	stored := encode(want)
	attrs, err := decode(stored)
	clear(stored)
	if err != nil || !reflect.DeepEqual(attrs, want) {
		t.Errorf("the attributes changed with the buffer: %v, %v", attrs, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{format})
	f.Add(encode(kv.Attrs{"text": "織り", "n": int64(-300), "b": []byte{0, 1}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		attrs, err := decode(b)
		if err != nil {
			return
		}
		if again, err := decode(encode(attrs)); err != nil || !reflect.DeepEqual(again, attrs) {
			t.Errorf("%v becomes %v, %v", attrs, again, err)
		}
	})
}
