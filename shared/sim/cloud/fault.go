package cloud

import (
	"bytes"
	"crypto/md5" //nolint:gosec // SQS's checksum of a body
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// FaultKind names what the proxy does wrong.
type FaultKind string

// The faults.
const (
	// Throttled refuses with the service's error for too many calls.
	Throttled FaultKind = "throttled"
	// Denied refuses for want of permission.
	Denied FaultKind = "denied"
	// Unheard breaks the connection and does nothing.
	Unheard FaultKind = "unheard"
	// ReplyLost does what was asked, and breaks the connection instead of answering.
	ReplyLost FaultKind = "reply lost"
	// Swallowed answers that a message was sent, and sends none.
	Swallowed FaultKind = "swallowed"
	// Slow answers after Delay.
	Slow FaultKind = "slow"
)

// Fault is what happens to the calls that fit. Empty conditions fit everything.
type Fault struct {
	Kind      FaultKind
	Role      string
	Service   string
	Operation string
	Resource  string        // one of the record's
	Holds     string        // a text in the request
	After     int           // how many calls that fit pass first
	Count     int           // how many calls are hit; 0: all
	Delay     time.Duration // of Slow
	Hit       func()        // is called when the fault has happened, before a connection breaks; may be nil
}

func (f *Fault) fits(r Record, body []byte) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	return is(f.Role, r.Role) && is(f.Service, r.Service) && is(f.Operation, r.Operation) &&
		(f.Resource == "" || slices.Contains(r.Resources, f.Resource)) && bytes.Contains(body, []byte(f.Holds))
}

// refusal is a service's answer to a call that it does not do.
type refusal struct {
	status        int
	code, message string
}

// refusals are the services' words for the faults.
var refusals = map[FaultKind]map[string]refusal{
	Throttled: {
		"dynamodb": {400, "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException", "The level of configured provisioned throughput for the table was exceeded."},
		"sqs":      {400, "com.amazonaws.sqs#RequestThrottled", "Request is throttled."},
		"":         {400, "ThrottlingException", "Rate exceeded"},
	},
	Denied: {
		"dynamodb": {400, "com.amazon.coral.service#AccessDeniedException", "User is not authorized to perform this action because no identity-based policy allows it"},
		"sqs":      {403, "com.amazonaws.sqs#AccessDenied", "Access to the resource is denied."},
		"":         {400, "AccessDeniedException", "User is not authorized to perform this action because no identity-based policy allows it"},
	},
}

// refuse answers as the service does.
func refuse(w http.ResponseWriter, kind FaultKind, service string) (status int) {
	of := refusals[kind]
	no, ok := of[service]
	if !ok {
		no = of[""]
	}
	text := `{"__type":` + strconv.Quote(no.code) + `,"message":` + strconv.Quote(no.message) + `}`
	write(w, no.status, []byte(text))
	return no.status
}

// write answers in AWS's JSON protocol, with the checksum that DynamoDB sends and the SDK looks for.
func write(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.Header().Set("X-Amzn-Requestid", uuid())
	w.Header().Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(text)), 10))
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // who asked may have left
}

// taken is what SQS says of messages that it has taken.
func taken(body []byte) []byte {
	var in input
	if json.Unmarshal(body, &in) != nil {
		return []byte(`{}`)
	}
	sum := func(text string) string {
		s := md5.Sum([]byte(text)) //nolint:gosec // as above
		return hex.EncodeToString(s[:])
	}
	one := func(text string) map[string]any {
		return map[string]any{"MessageId": uuid(), "MD5OfMessageBody": sum(text), "SequenceNumber": "18850000000000000000"}
	}
	out := one(in.MessageBody)
	if len(in.Entries) > 0 {
		var all []any
		for _, e := range in.Entries {
			each := one(e.MessageBody)
			each["Id"] = e.ID
			all = append(all, each)
		}
		out = map[string]any{"Successful": all, "Failed": []any{}}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return []byte(`{}`)
	}
	return text
}
