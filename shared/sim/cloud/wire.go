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

// Call makes one call. out may be nil.
func (c Client) Call(ctx context.Context, service, operation string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("%s %s: %w", service, operation, err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Endpoint, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s %s: %w", service, operation, err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", targets[service]+operation)
	r.Header.Set("Authorization", fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/%s/%s/%s/aws4_request, SignedHeaders=host, Signature=00",
		c.Role, time.Now().UTC().Format("20060102"), Region, service))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("%s %s: %w", service, operation, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", service, operation, err)
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: status %d: %.200s", service, operation, answer.StatusCode, text)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("%s %s: %w", service, operation, err)
	}
	return nil
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
