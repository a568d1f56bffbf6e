package cloud

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Where everything lives.
const (
	Region  = "eu-west-1"
	Account = "123456789012" // the emulators' own
)

// Client makes calls of AWS's JSON protocol. They are not signed: no emulator looks.
type Client struct {
	Endpoint string
	Role     string // that the calls are made as
}

// targets are the prefixes of the header that names the operation.
var targets = map[string]string{
	"sqs": "AmazonSQS.", "dynamodb": "DynamoDB_20120810.", "secretsmanager": "secretsmanager.", "kms": "TrentService.",
}

// attempts is how often a call is made that the service could not do, as AWS's clients have it.
const attempts = 3

// Call makes one call. out may be nil.
func (c Client) Call(ctx context.Context, service, operation string, in, out any) error {
	body, err := json.Marshal(in)
	var status int
	var text []byte
	for n := 0; err == nil && n < attempts && (n == 0 || status >= http.StatusInternalServerError); n++ {
		status, text, err = c.once(ctx, service, targets[service]+operation, body)
	}
	switch {
	case err != nil:
	case status != http.StatusOK:
		err = fmt.Errorf("status %d: %.200s", status, text)
	case out != nil:
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", service, operation, err)
	}
	return nil
}

func (c Client) once(ctx context.Context, service, target string, body []byte) (status int, text []byte, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Endpoint, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", target)
	r.Header.Set("Authorization", fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/%s/%s/%s/aws4_request, SignedHeaders=host, Signature=00",
		c.Role, time.Now().UTC().Format("20060102"), Region, service))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(answer.Body)
	return answer.StatusCode, text, err
}

// hexes is n random bytes in hex.
func hexes(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

// uuid is a random id as AWS writes them.
func uuid() string {
	h := hexes(16)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
