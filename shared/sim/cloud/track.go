package cloud

import (
	"encoding/json"
	"sync"
)

// tracker knows which messages of FIFO queues are on their way: sent, and not deleted. A message keeps its name, its group and
// its deduplication id, also when it moves to a dead-letter queue.
type tracker struct {
	mu       sync.Mutex
	seen     map[sent]bool
	waiting  map[sent]bool
	receipts map[string]sent
}

// sent names a message.
type sent struct{ group, dedup string }

func newTracker() *tracker {
	return &tracker{seen: map[sent]bool{}, waiting: map[sent]bool{}, receipts: map[string]sent{}}
}

// note looks at a call that was done.
func (t *tracker) note(operation string, request, answer []byte) {
	var in struct {
		MessageGroupID         string `json:"MessageGroupId"`
		MessageDeduplicationID string `json:"MessageDeduplicationId"`
		ReceiptHandle          string
		Entries                []struct {
			MessageGroupID         string `json:"MessageGroupId"`
			MessageDeduplicationID string `json:"MessageDeduplicationId"`
			ReceiptHandle          string
		}
	}
	var out struct {
		Messages []struct {
			ReceiptHandle string
			Attributes    map[string]string
		}
	}
	if json.Unmarshal(request, &in) != nil || json.Unmarshal(answer, &out) != nil && len(answer) > 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch operation {
	case "SendMessage":
		t.send(sent{in.MessageGroupID, in.MessageDeduplicationID})
	case "SendMessageBatch":
		for _, e := range in.Entries {
			t.send(sent{e.MessageGroupID, e.MessageDeduplicationID})
		}
	case "ReceiveMessage":
		for _, m := range out.Messages {
			t.receipts[m.ReceiptHandle] = sent{m.Attributes["MessageGroupId"], m.Attributes["MessageDeduplicationId"]}
		}
	case "DeleteMessage":
		t.done(in.ReceiptHandle)
	case "DeleteMessageBatch":
		for _, e := range in.Entries {
			t.done(e.ReceiptHandle)
		}
	}
}

func (t *tracker) send(s sent) { t.seen[s], t.waiting[s] = true, true }

func (t *tracker) done(receipt string) {
	delete(t.waiting, t.receipts[receipt])
	delete(t.receipts, receipt)
}

// Sent tells whether a message was ever sent.
func (p *Proxy) Sent(group, dedup string) bool {
	p.messages.mu.Lock()
	defer p.messages.mu.Unlock()
	return p.messages.seen[sent{group, dedup}]
}

// Waiting counts the messages of a group that were sent and not deleted, in all queues.
func (p *Proxy) Waiting(group string) int {
	p.messages.mu.Lock()
	defer p.messages.mu.Unlock()
	n := 0
	for s := range p.messages.waiting {
		if s.group == group {
			n++
		}
	}
	return n
}
