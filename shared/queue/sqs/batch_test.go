package sqs_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/queue"
)

// batchOf makes messages whose group is the first letter of the body.
func batchOf(bodies ...string) []queue.Message {
	var ms []queue.Message
	for _, b := range bodies {
		ms = append(ms, queue.Message{Group: b[:1], Dedup: b[:2], Body: b})
	}
	return ms
}

// took is the answer to a request of which the entries with these indexes were taken, and others failed with a code; a code
// with a star is the sender's fault.
func took(ok []int, failed map[int]string) reply {
	var yes, no []string
	for _, i := range ok {
		yes = append(yes, fmt.Sprintf(`{"Id":"%d","MessageId":"m","MD5OfMessageBody":"x","SequenceNumber":"1"}`, i))
	}
	for i, code := range failed {
		plain, fault := strings.CutSuffix(code, "*")
		no = append(no, fmt.Sprintf(`{"Id":"%d","Code":"%s","Message":"secret","SenderFault":%v}`, i, plain, fault))
	}
	return reply{200, `{"Successful":[` + strings.Join(yes, ",") + `],"Failed":[` + strings.Join(no, ",") + `]}`}
}

// sent lists the bodies of each request.
func sent(w *wire) []string {
	var all []string
	for _, c := range w.calls {
		var bodies []string
		entries, _ := c.body["Entries"].([]any)
		for _, e := range entries {
			body, _ := e.(map[string]any)["MessageBody"].(string)
			bodies = append(bodies, strings.TrimSpace(body))
		}
		all = append(all, strings.Join(bodies, " "))
	}
	return all
}

// Two messages of one group are never in one request: the second may be taken when the first is not.
func TestBatchGoesInRounds(t *testing.T) {
	d, w := over(took([]int{0, 2, 3}, nil), took([]int{1, 5}, nil), took([]int{4}, nil))
	if err := d.SendBatch(t.Context(), queue.Ingress, batchOf("a1", "a2", "b1", "c1", "a3", "c2")); err != nil {
		t.Fatal(err)
	}
	if got, want := sent(w), []string{"a1 b1 c1", "a2 c2", "a3"}; !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
	if w.calls[0].action != "AmazonSQS.SendMessageBatch" {
		t.Errorf("action %s", w.calls[0].action)
	}
	first, _ := w.calls[1].body["Entries"].([]any)
	equal(t, first[0], `{"Id":"1","MessageBody":"a2","MessageGroupId":"a","MessageDeduplicationId":"a2"}`)
}

func TestBatchIsSplitByNumberAndSize(t *testing.T) {
	var many []queue.Message
	for i := range 12 {
		many = append(many, queue.Message{Group: fmt.Sprint("g", i), Dedup: fmt.Sprint("d", i), Body: fmt.Sprint("b", i)})
	}
	d, w := over(took([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, nil), took([]int{10, 11}, nil))
	if err := d.SendBatch(t.Context(), queue.Ingress, many); err != nil {
		t.Fatal(err)
	}
	if got := sent(w); len(got) != 2 || got[1] != "b10 b11" {
		t.Errorf("sent %q", got)
	}
	half := strings.Repeat(" ", queue.MaxBody/2)
	d, w = over(took([]int{0}, nil), took([]int{1, 2}, nil))
	if err := d.SendBatch(t.Context(), queue.Ingress, batchOf("a1"+half, "b1"+half, "c1")); err != nil {
		t.Fatal(err)
	}
	if got, want := sent(w), []string{"a1", "b1 c1"}; !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}

func TestBatchTellsFailuresApart(t *testing.T) {
	for name, c := range map[string]struct {
		answers []reply
		sent    []string
		want    string // of each: ok, never, or again
	}{
		"the server's fault keeps the group back, others go on": {
			[]reply{took([]int{2}, map[int]string{0: "InternalError"}), took([]int{3}, nil)}, []string{"a1 b1", "b2"}, "again again ok ok"},
		"a malformed message is over, its group goes on": {
			[]reply{took([]int{2}, map[int]string{0: "InvalidMessageContents*"}), took([]int{1, 3}, nil)}, []string{"a1 b1", "a2 b2"}, "never ok ok ok"},
		"a key that is missing is no fault of the message": {
			[]reply{took([]int{2}, map[int]string{0: "KmsAccessDenied*"}), took([]int{3}, nil)}, []string{"a1 b1", "b2"}, "again again ok ok"},
		"what is invalid of the sender is no fault of the message": {
			[]reply{took([]int{2}, map[int]string{0: "InvalidSecurity*"}), took([]int{3}, nil)}, []string{"a1 b1", "b2"}, "again again ok ok"},
		"an entry that is told twice, and one of nobody": {
			[]reply{took([]int{0, 0, 2, 77}, map[int]string{0: "InternalError", 99: "InternalError"}), took([]int{3}, nil)}, []string{"a1 b1", "b2"}, "again again ok ok"},
		"an entry that the answer leaves out": {
			[]reply{took([]int{2}, nil), took([]int{3}, nil)}, []string{"a1 b1", "b2"}, "again again ok ok"},
		"a later request is refused": {
			[]reply{took([]int{0, 2}, nil), {400, `{"__type":"AccessDenied","message":"no"}`}}, []string{"a1 b1", "a2 b2"}, "ok again ok again"},
	} {
		t.Run(name, func(t *testing.T) {
			d, w := over(c.answers...)
			err := d.SendBatch(t.Context(), queue.Ingress, batchOf("a1", "a2", "b1", "b2"))
			b, ok := errors.AsType[*queue.BatchError](err)
			if !ok {
				t.Fatalf("error %v", err)
			}
			var got []string
			for _, one := range b.Each {
				switch {
				case one == nil:
					got = append(got, "ok")
				case queue.Refused(one):
					got = append(got, "never")
				default:
					got = append(got, "again")
				}
			}
			if strings.Join(got, " ") != c.want || !slices.Equal(sent(w), c.sent) {
				t.Errorf("sent %q with %v, want %q with %s", sent(w), got, c.sent, c.want)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error repeats SQS's sentence: %v", err)
			}
		})
	}
	d, _ := over(reply{400, `{"__type":"AccessDenied","message":"no"}`})
	if err := d.SendBatch(t.Context(), queue.Ingress, batchOf("a1", "b1")); err == nil || errors.As(err, new(*queue.BatchError)) {
		t.Errorf("a refused request says something of its messages: %v", err)
	}
}

func TestHideBatchIsOneRequest(t *testing.T) {
	d, w := over(reply{200, `{"Successful":[{"Id":"0"},{"Id":"1"}],"Failed":[]}`})
	if err := d.HideBatch(t.Context(), queue.Ingress, []string{"r0", "r1"}, 1500*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if len(w.calls) != 1 || w.calls[0].action != "AmazonSQS.ChangeMessageVisibilityBatch" {
		t.Fatalf("called %v", w.calls)
	}
	entries, _ := w.calls[0].body["Entries"].([]any)
	equal(t, entries[1], `{"Id":"1","ReceiptHandle":"r1","VisibilityTimeout":2}`)
	d, _ = over(reply{200, `{"Successful":[{"Id":"0"}],"Failed":[{"Id":"1","Code":"ReceiptHandleIsInvalid","Message":"secret","SenderFault":true}]}`})
	if err := d.HideBatch(t.Context(), queue.Ingress, []string{"r0", "r1"}, time.Second); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("one that is not hidden: %v", err)
	}
	if err := d.HideBatch(t.Context(), queue.Ingress, []string{"r0"}, -time.Second); !errors.Is(err, queue.ErrInvalid) {
		t.Errorf("a time that is none: %v", err)
	}
}
