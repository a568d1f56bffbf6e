package aws

import (
	"io"
	"net/http"
	"strings"
	"testing"

	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// closed is a body that tells when it was closed.
type closed struct {
	io.Reader
	times *int
}

func (c closed) Close() error { *c.times++; return nil }

// What smithy-go closes is not what the transport reads: closing the one leaves the other as it is.
func TestTransportHasItsOwnBody(t *testing.T) {
	times := 0
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://dynamodb.invalid/", closed{strings.NewReader("{}"), &times})
	if err != nil {
		t.Fatal(err)
	}
	r.ContentLength = 2
	asked := false
	_, err = ownBody{smithyhttp.ClientDoFunc(func(got *http.Request) (*http.Response, error) {
		asked = true
		_ = r.Body.Close() // as smithy-go does, when the answer begins
		text, err := io.ReadAll(got.Body)
		if string(text) != "{}" || err != nil || got.ContentLength != 2 || got.Context() != r.Context() {
			t.Errorf("sent %q of %d bytes: %v", text, got.ContentLength, err)
		}
		return nil, got.Body.Close()
	})}.Do(r)
	if err != nil || !asked || times != 2 {
		t.Errorf("asked %v, closed %d times, error %v", asked, times, err)
	}
	without, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://dynamodb.invalid/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (ownBody{smithyhttp.ClientDoFunc(func(got *http.Request) (*http.Response, error) {
		if got != without {
			t.Error("a request without a body was changed")
		}
		return nil, nil
	})}).Do(without); err != nil {
		t.Error(err)
	}
}
