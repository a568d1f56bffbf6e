package cloud

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
)

// Record is one call of a service. Written as a line of JSON it holds nothing that people wrote.
type Record struct {
	Role      string   `json:"role"`
	Mapping   bool     `json:"mapping,omitempty"` // an event source mapping made it, with the function's role
	Service   string   `json:"service"`
	Operation string   `json:"operation"`
	Resources []string `json:"resources"`       // tables, "table/index/name", queues, secrets …, each once
	Kinds     []string `json:"kinds,omitempty"` // of the items of a transaction: Put, Update, Delete, ConditionCheck
	Part      bool     `json:"part,omitempty"`  // of the transaction in the record before: it is no call of its own
	Items     int      `json:"items,omitempty"` // that were written, asked for or found
	Sent      int      `json:"sent"`            // bytes of the request
	Received  int      `json:"received"`        // bytes of the answer
	Status    int      `json:"status"`          // 0: it was not answered
	Fault     string   `json:"fault,omitempty"` // that was injected

	parts map[string][]string // of a transaction: by the table, what is done there
}

// split gives a record for each table of a transaction: each is authorised by what is done there. Sizes are the first one's, so
// that sums are right.
func (r Record) split() (all []Record) {
	if len(r.parts) == 0 {
		return []Record{r}
	}
	for _, table := range slices.Sorted(maps.Keys(r.parts)) {
		one := r
		one.parts, one.Resources, one.Kinds, one.Items = nil, []string{table}, r.parts[table], len(r.parts[table])
		slices.Sort(one.Kinds)
		if one.Part = len(all) > 0; one.Part {
			one.Sent, one.Received = 0, 0
		}
		all = append(all, one)
	}
	return all
}

// input is what of requests is looked at.
type input struct {
	TableName, IndexName string
	QueueURL             string `json:"QueueUrl"`
	SecretID             string `json:"SecretId"`
	KeyID                string `json:"KeyId"`
	MessageBody          string
	Entries              []entry
	TransactItems        []map[string]struct{ TableName string }
	RequestItems         map[string]json.RawMessage
}

type entry struct {
	ID          string `json:"Id"`
	MessageBody string
}

// mappings is what the names begin with that mappings call themselves by; what follows is the role of their function.
const mappings = "mapping."

// who fills in who calls which service, from the header that signs the request.
func (r *Record) who(authorization string) {
	_, scope, _ := strings.Cut(authorization, "Credential=")
	scope, _, _ = strings.Cut(scope, ",")
	if f := strings.Split(scope, "/"); len(f) == 5 {
		r.Role, r.Mapping = strings.CutPrefix(f[0], mappings)
		r.Service = f[3]
	}
}

// describe fills in what a request is about.
func (r *Record) describe(target, method, url string, body []byte) {
	_, r.Operation, _ = strings.Cut(target, ".")
	r.Sent = len(body)
	if target == "" { // a service that speaks another protocol: S3
		r.Operation = method
		r.Resources = []string{strings.Trim(url, "/")}
		return
	}
	var in input
	if json.Unmarshal(body, &in) != nil {
		return
	}
	set := map[string]bool{}
	for _, name := range []string{path.Base(in.QueueURL), in.SecretID, in.KeyID} {
		if name != "" && name != "." {
			set[name] = true
		}
	}
	switch {
	case in.IndexName != "":
		set[in.TableName+"/index/"+in.IndexName] = true
	case in.TableName != "":
		set[in.TableName] = true
	}
	for _, item := range in.TransactItems {
		for kind, what := range item {
			if r.parts == nil {
				r.parts = map[string][]string{}
			}
			r.parts[what.TableName] = append(r.parts[what.TableName], kind)
			set[what.TableName] = true
		}
	}
	for table, keys := range in.RequestItems {
		set[table] = true
		r.Items += asked(keys)
	}
	r.Items += len(in.Entries)
	r.Resources = slices.Sorted(maps.Keys(set))
}

// asked counts the items of one table in a batch.
func asked(raw json.RawMessage) int {
	var get struct{ Keys []json.RawMessage }
	if json.Unmarshal(raw, &get) == nil {
		return len(get.Keys)
	}
	var write []json.RawMessage
	if json.Unmarshal(raw, &write) != nil {
		return 0
	}
	return len(write)
}

// answered fills in what came back.
func (r *Record) answered(status int, body []byte) {
	r.Status, r.Received = status, len(body)
	var out struct {
		Items    []json.RawMessage
		Messages []json.RawMessage
	}
	if json.Unmarshal(body, &out) == nil {
		r.Items += len(out.Items) + len(out.Messages)
	}
}
