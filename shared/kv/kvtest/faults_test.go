package kvtest_test

import (
	"errors"
	"testing"
	"time"

	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
)

func TestWrapWithoutFaultsConforms(t *testing.T) {
	kvtest.Run(t, kvtest.Harness{Bubble: true, Open: func(*testing.T) kv.Driver { return kvtest.Wrap(kvtest.Memory(), nil) }})
}

func TestFaultOfAWrite(t *testing.T) {
	for _, c := range []struct {
		name             string
		fault            kvtest.Fault
		want             error
		retry, committed bool
	}{
		{"none", kvtest.None, nil, false, true},
		{"contention", kvtest.Contention, kv.ErrContention, true, false},
		{"throttling", kvtest.Throttling, kv.ErrThrottled, true, false},
		{"broken before the commit", kvtest.Broken, kvtest.ErrInjected, false, false},
		{"reply lost after the commit", kvtest.LostReply, kvtest.ErrInjected, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			inner := kvtest.Memory()
			d := kvtest.Wrap(inner, func(call kvtest.Call) kvtest.Fault {
				if call.Verb == kvtest.Write && call.N == 1 && call.Ops[0].Key.Sort == "s" {
					return c.fault
				}
				return kvtest.None
			})
			k := kv.Key{Space: "a", Partition: "p", Sort: "s"}
			op := kv.Op{Verb: kv.Put, Key: k, If: []kv.Cond{kv.Missing("")}}
			if err := d.Write(t.Context(), op); !errors.Is(err, c.want) || kv.Retryable(err) != c.retry {
				t.Errorf("write: %v, want %v", err, c.want)
			}
			if _, err := inner.Get(t.Context(), k); (err == nil) != c.committed {
				t.Errorf("get: %v, want committed: %v", err, c.committed)
			}
			if err := d.Write(t.Context(), op); errors.Is(err, kv.ErrCondition) != c.committed {
				t.Errorf("second write: %v", err)
			}
			if d.Calls() != 2 {
				t.Errorf("%d calls counted, want 2", d.Calls())
			}
		})
	}
}

func TestLostReplyKeepsARefusal(t *testing.T) {
	d := kvtest.Wrap(kvtest.Memory(), func(kvtest.Call) kvtest.Fault { return kvtest.LostReply })
	err := d.Write(t.Context(), kv.Op{Verb: kv.Check, Key: kv.Key{Space: "a", Partition: "p", Sort: "s"}, If: []kv.Cond{kv.Is("a", "b")}})
	if !errors.Is(err, kv.ErrCondition) {
		t.Errorf("got %v, want the condition", err)
	}
}

func TestEveryReadCanFail(t *testing.T) {
	d := kvtest.Wrap(kvtest.Memory(), func(kvtest.Call) kvtest.Fault { return kvtest.LostReply })
	k := kv.Key{Space: "a", Partition: "p", Sort: "s"}
	_, get := d.Get(t.Context(), k)
	_, batch := d.BatchGet(t.Context(), k)
	_, query := d.Query(t.Context(), kv.Query{Space: "a", Partition: "p"})
	_, due := d.Due(t.Context(), "a", time.Now(), 1)
	for _, err := range []error{get, batch, query, due} {
		if !errors.Is(err, kvtest.ErrInjected) {
			t.Errorf("got %v, want the injected fault", err)
		}
	}
}
