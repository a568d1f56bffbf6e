package dynamo_test

import (
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"tsumugi/shared/kv/dynamo"
)

// wire is a network with a DynamoDB at its end that says what the test wants, and writes down what it was asked.
type wire struct {
	answer func(action, body string) (status int, reply string)
	date   time.Time // of its clock; none is told where it is zero
	mu     sync.Mutex
	calls  []request
	signed string // when the last request was signed
}

type request struct{ action, body string }

func (w *wire) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	_, action, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	w.mu.Lock()
	w.calls = append(w.calls, request{action, string(body)})
	w.signed = r.Header.Get("X-Amz-Date")
	w.mu.Unlock()
	status, reply := w.answer(action, string(body))
	if status == 0 {
		return nil, io.ErrUnexpectedEOF // the reply is lost
	}
	header := http.Header{
		"Content-Type": {"application/x-amz-json-1.0"},
		"X-Amz-Crc32":  {strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(reply))), 10)},
	}
	if !w.date.IsZero() {
		header.Set("Date", w.date.UTC().Format(http.TimeFormat))
	}
	return &http.Response{StatusCode: status, Request: r, Body: io.NopCloser(strings.NewReader(reply)), Header: header}, nil
}

// of lists what one action was asked.
func (w *wire) of(action string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for _, c := range w.calls {
		if c.action == action {
			all = append(all, c.body)
		}
	}
	return all
}

// over gives a driver whose space "a" is the table "table" at the end of a wire.
func over(t *testing.T, answer func(action, body string) (int, string)) (*dynamo.DB, *wire) {
	t.Helper()
	w := &wire{answer: answer}
	client := newClient("http://dynamo.invalid", func(o *dynamodb.Options) { o.HTTPClient = w })
	return dynamo.New(client, map[string]string{"a": "table"}), w
}
