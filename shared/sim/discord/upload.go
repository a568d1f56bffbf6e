package discord

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// What Discord takes of files.
const (
	maxFiles    = 10       // of a message
	maxFile     = 10 << 20 // bytes, without anybody's boost
	maxPayloads = 1 << 20  // bytes of a payload_json
	maxFilename = 1024
)

// upload is one file of a multipart body. Its index ties it to an entry of "attachments".
type upload struct {
	index int
	name  string
	data  []byte
}

func tooLarge() reply {
	return fail(http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
}

var filePart = regexp.MustCompile(`^files\[([0-9]{1,9})\]$`)

// unpack takes a multipart body apart: payload_json becomes the body, and each files[n] a file. A body of another type stays as
// it is. What is too large ends the reading at once.
func (q *request) unpack(contentType string) *reply {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "multipart/form-data" {
		return nil
	}
	whole := q.body
	q.body = []byte("{}")
	parts := multipart.NewReader(bytes.NewReader(whole), params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF { // itself: a form that is cut short ends with an error around it
			return nil
		}
		if err != nil {
			bad := fail(http.StatusBadRequest, 50035, "Invalid Form Body")
			return &bad
		}
		if bad := q.takePart(part); bad != nil {
			return bad
		}
	}
}

// takePart reads one part. Discord also takes fields one by one and files by other names; clients of today send neither, so
// that such a part is nothing here.
func (q *request) takePart(part *multipart.Part) *reply {
	name := part.FormName()
	if name == "payload_json" {
		text, err := io.ReadAll(io.LimitReader(part, maxPayloads+1))
		if err != nil || len(text) > maxPayloads {
			bad := tooLarge()
			return &bad
		}
		q.body = text
		return nil
	}
	index := -1
	if hit := filePart.FindStringSubmatch(name); hit != nil {
		index, _ = strconv.Atoi(hit[1]) // nine digits at most
	} else if name == "file" {
		index = 0
	}
	if index < 0 || part.FileName() == "" {
		return nil
	}
	for _, f := range q.files {
		if f.index == index {
			bad := invalidForm(&fieldError{"files", "BASE_TYPE_BAD_LENGTH", "Two files have the index " + strconv.Itoa(index) + "."})
			return &bad
		}
	}
	if len(q.files) >= maxFiles {
		bad := tooManyFiles()
		return &bad
	}
	data, err := io.ReadAll(io.LimitReader(part, maxFile+1))
	if err != nil || len(data) > maxFile {
		bad := tooLarge()
		return &bad
	}
	q.files = append(q.files, upload{index, part.FileName(), data})
	return nil
}

func tooManyFiles() reply {
	return fail(http.StatusBadRequest, 30015, "Maximum number of attachments in a message reached ("+strconv.Itoa(maxFiles)+")")
}

// attachmentForm is what a body says of a file: of a new one by its index, of one that the message has by its id.
type attachmentForm struct {
	ID          any     `json:"id"`
	Filename    *string `json:"filename"`
	Description *string `json:"description"`
	Duration    float64 `json:"duration_secs"`
	Waveform    string  `json:"waveform"`
}

// ref is the id as text: Discord takes numbers and strings.
func (f *attachmentForm) ref() string {
	switch id := f.ID.(type) {
	case string:
		return id
	case json.Number:
		return id.String()
	}
	return ""
}

// forms reads and checks the entries of "attachments".
func (d *draft) forms() ([]attachmentForm, *fieldError) {
	var all []attachmentForm
	for i, raw := range d.Attachments {
		at := "attachments." + strconv.Itoa(i)
		var f attachmentForm
		if decodeNumbers(raw, &f) != nil {
			return nil, &fieldError{at, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType"}
		}
		if f.ref() == "" {
			return nil, &fieldError{at + ".id", "BASE_TYPE_REQUIRED", "This field is required"}
		}
		if f.Filename != nil && (*f.Filename == "" || len([]rune(*f.Filename)) > maxFilename) {
			return nil, &fieldError{at + ".filename", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 1024 in length."}
		}
		if f.Description != nil && len([]rune(*f.Description)) > maxFilename {
			return nil, tooLong(at+".description", maxFilename)
		}
		all = append(all, f)
	}
	return all, nil
}

// enclose gives a message its files: of those it had, the ones the draft names, or all where it names none; and of the uploaded
// ones all, each with what the draft says of it. An entry that fits neither is an error.
func (s *Server) enclose(c *channel, m *Message, had []Attachment, d *draft, q *request) *reply {
	forms, e := d.forms()
	if e != nil {
		bad := invalidForm(e)
		return &bad
	}
	said := map[int]attachmentForm{}
	kept := []Attachment{}
	if d.Attachments == nil {
		kept = append(kept, had...)
	}
	for i, f := range forms {
		old, index := s.matched(f.ref(), had, q)
		switch {
		case old != nil:
			if f.Description != nil {
				old.Description = *f.Description
			}
			kept = append(kept, *old)
		case index >= 0:
			said[index] = f
		default:
			bad := invalidForm(&fieldError{"attachments." + strconv.Itoa(i) + ".id", "ATTACHMENT_NOT_FOUND",
				"The request carries no file for this attachment."})
			return &bad
		}
	}
	if len(kept)+len(q.files) > maxFiles {
		bad := tooManyFiles()
		return &bad
	}
	for _, f := range q.files {
		kept = append(kept, s.store(c, f, said[f.index], q))
	}
	m.Attachments = kept
	return nil
}

// matched finds what an attachment's id stands for: a file that the message has, or the index of a new one; -1 for neither.
func (s *Server) matched(ref string, had []Attachment, q *request) (*Attachment, int) {
	for _, a := range had {
		if a.ID == ref {
			return &a, -1
		}
	}
	for _, f := range q.files {
		if strconv.Itoa(f.index) == ref {
			return nil, f.index
		}
	}
	return nil, -1
}

// strange is what Discord takes out of a file's name.
var strange = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// safeName is a file's name as it appears in its address.
func safeName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Trim(strange.ReplaceAllString(strings.ReplaceAll(name, " ", "_"), ""), ".")
	if len(name) > 200 {
		name = name[len(name)-200:]
	}
	if name == "" {
		return "unknown"
	}
	return name
}
