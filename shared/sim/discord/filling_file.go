package discord

import (
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// Where files are: those of messages, and those that came with an interaction and go with its token.
const (
	heldFiles    = "/attachments/"
	passingFiles = "/ephemeral-attachments/"
)

// handed is a file as a person hands it over: with its bytes, or only described.
type handed struct {
	Attachment
	Content *[]byte `json:"content"`
}

// attachment takes a file and returns its id.
func (f *filling) attachment(value any) (any, error) {
	raw, err := json.Marshal(value)
	var g handed
	switch {
	case err != nil || json.Unmarshal(raw, &g) != nil || g.Filename == "" || g.Size < 0:
		return nil, fmt.Errorf("no file with a name: %w", ErrRefused)
	case utf8.RuneCountInString(g.Filename) > maxFilename:
		return nil, fmt.Errorf("a file's name of more than %d characters: %w", maxFilename, ErrRefused)
	case max(g.Size, len(g.bytes())) > attachmentSizeLimit:
		return nil, fmt.Errorf("the file is larger than %d MiB: %w", attachmentSizeLimit>>20, ErrRefused)
	}
	a := g.Attachment
	if g.Content != nil {
		a = f.s.hold(passingFiles+f.s.appID, f.address(), upload{name: g.Filename, data: g.bytes()}, attachmentForm{}, time.Now())
	} else {
		a.ID = f.s.ids.next(time.Now())
		if a.URL == "" {
			a.URL = "https://attachments.invalid/" + f.c.id + "/" + a.ID
		}
		a.ProxyURL = a.URL
	}
	a.Ephemeral = true
	put(&f.found.Attachments, a.ID, f.s.signed([]Attachment{a})[0])
	return a.ID, nil
}

func (g *handed) bytes() []byte {
	if g.Content == nil {
		return nil
	}
	return *g.Content
}

// address is this server's own, as the one who asks has reached it.
func (f *filling) address() string {
	if f.base == "" {
		return "http://localhost"
	}
	return f.base
}

// uploaded takes the files of a form's part and returns their ids.
func (f *filling) uploaded(c *component, value any) ([]any, error) {
	files, several := value.([]any)
	if value != nil && !several {
		files = []any{value}
	}
	least, most := c.bounds()
	if n := len(files); n > most || n < least && (n > 0 || c.needed()) {
		return nil, fmt.Errorf("between %d and %d files are wanted: %w", least, most, ErrRefused)
	}
	ids := []any{}
	for _, one := range files {
		id, err := f.attachment(one)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}
