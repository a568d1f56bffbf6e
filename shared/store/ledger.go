package store

import (
	"fmt"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// ledgerRow is the first row of an event. The body is kept only while the event waits or is answered.
func ledgerRow(e chat.Event, row chat.Row, kind chat.Kind, reason string, now time.Time) (kv.Op, error) {
	attrs := kv.Attrs{"row": string(row), "reason": reason, "at": now.UnixMilli(), "user": string(e.Author.ID),
		kv.TTL: now.Add(chat.LedgerLife).Unix()}
	if !row.Final() {
		body, err := encode(e)
		if err != nil {
			return kv.Op{}, err
		}
		attrs["body"], attrs["kind"] = body, string(kind)
	}
	return kv.Op{Verb: kv.Put, Key: eventKey(e.Channel, e.ID), Attrs: attrs, If: []kv.Cond{kv.Missing("")}}, nil
}

// disposed gives an event its final row; a final row is never changed again.
func disposed(c chat.ChannelID, e chat.EventID, was, row chat.Row, reason string, now time.Time) kv.Op {
	return kv.Op{Verb: kv.Update, Key: eventKey(c, e),
		Set:    kv.Attrs{"row": string(row), "reason": reason, "at": now.UnixMilli()},
		Remove: []string{"body", "mail"}, If: []kv.Cond{kv.Is("row", string(was))}}
}

// The sort keys of the mailbox are its order: the answer to a stop, a follow-up, the rest.
const (
	mailStop     = "mail#0"
	mailFollowUp = "mail#1"
)

func mailTail(n int64) string { return fmt.Sprintf("mail#2#%012d", n) }

// mailed puts an event into the mailbox and its row into the ledger, which knows where it waits.
func mailed(e chat.Event, kind chat.Kind, sort, reason string, now time.Time, old ...kv.Cond) ([]kv.Op, error) {
	row, err := ledgerRow(e, chat.Mailed, kind, reason, now)
	if err != nil {
		return nil, err
	}
	row.Attrs["mail"] = sort
	if old == nil {
		old = []kv.Cond{kv.Missing("")}
	}
	mail := kv.Op{Verb: kv.Put, Key: key(e.Channel, sort), If: old, Attrs: kv.Attrs{"event": string(e.ID)}}
	return []kv.Op{row, mail}, nil
}
