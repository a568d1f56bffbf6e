package queue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tsumugi/shared/chat"
)

// BodyVersion is the version that Encode writes and the newest that Decode reads. It grows only when an older reader
// would misunderstand a body: fields may be added without.
const BodyVersion = 1

// Errors of a body. ErrNewer is for a retry, never a drop: the body was written by a newer program that is being rolled
// out, and a newer reader will understand it. ErrMalformed comes wrapped in chat.Drop: no reader ever will.
var (
	ErrNewer     = errors.New("body is of a newer version than this program reads")
	ErrMalformed = errors.New("body is malformed")
)

// envelope is what every body has in common.
type envelope struct {
	V *int `json:"v"`
}

// Encode writes v, which must be a struct or a map without a field "v", as a body: its JSON object with the version in
// front. The body has only characters that SQS carries.
func Encode(v any) (string, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // a body is no web page, and the escapes would cost bytes
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("encode body: %w", err)
	}
	text := strings.TrimSpace(buf.String())
	var e struct {
		V json.RawMessage `json:"v"`
	}
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &e) != nil || e.V != nil {
		return "", fmt.Errorf("encode body: %T is not an object without a field v", v)
	}
	// SQS refuses these two though JSON allows them, and people can type them.
	text = strings.NewReplacer("\ufffe", `\ufffe`, "\uffff", `\uffff`).Replace(text)
	head := fmt.Sprintf(`{"v":%d`, BodyVersion)
	if text == "{}" {
		return head + "}", nil
	}
	return head + "," + text[1:], nil
}

// Version reads the version of a body, which may be newer than BodyVersion; 1 or more when there is no error.
func Version(body string) (int, error) {
	var e envelope
	if err := json.Unmarshal([]byte(body), &e); err != nil || e.V == nil || *e.V < 1 {
		// The cause is left out: the decoder's errors quote the body.
		return 0, chat.Drop(fmt.Errorf("read version of body: %w", ErrMalformed))
	}
	return *e.V, nil
}

// Decode reads a body that Encode wrote into the struct or map that into points to. The field v of a map is set too.
func Decode(body string, into any) error {
	version, err := Version(body)
	if err != nil {
		return err
	}
	if version > BodyVersion {
		return fmt.Errorf("decode body of version %d: %w", version, ErrNewer)
	}
	if err := json.Unmarshal([]byte(body), into); err != nil {
		return chat.Drop(fmt.Errorf("decode body of version %d into %T: %w", version, into, ErrMalformed))
	}
	return nil
}
