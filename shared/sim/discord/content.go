package discord

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Limits of a message's other content.
const (
	maxStickers = 3
	maxSeconds  = 1 << 20 // of a voice message; Discord says no number
)

// checkContent checks what a draft carries besides text and embeds, as far as it needs no channel.
func (d *draft) checkContent() *fieldError {
	if len(d.StickerIDs) > maxStickers {
		return tooLong("sticker_ids", maxStickers)
	}
	if _, e := d.forms(); e != nil {
		return e
	}
	if e := d.Poll.check(); e != nil {
		return e
	}
	return d.checkComponents(d.Flags != nil && *d.Flags&flagComponentsV2 != 0)
}

// furnish gives a new message its files, stickers and poll, and holds the whole to the rules that flags bring.
func (s *Server) furnish(c *channel, m *Message, d *draft, q *request) *reply {
	if bad := s.enclose(c, m, nil, d, q); bad != nil {
		return bad
	}
	if bad := s.stick(m, d.StickerIDs); bad != nil {
		return bad
	}
	if d.Poll != nil {
		m.Poll = d.Poll.poll(q.now)
	}
	if m.Flags&flagVoiceMessage != 0 {
		return voiced(m)
	}
	return layout(m)
}

// refurnish gives an edited message its files and flags. What is a voice message or a poll stays as it was made. SUPPRESS_EMBEDS
// goes both ways, IS_COMPONENTS_V2 never goes away, other flags are not looked at.
func (s *Server) refurnish(c *channel, m, changed *Message, d *draft, q *request) *reply {
	var no reply
	switch {
	case m.Flags&flagVoiceMessage != 0:
		no = fail(http.StatusBadRequest, 50162, "Voice messages cannot be edited")
		return &no
	case m.Poll != nil:
		no = fail(http.StatusBadRequest, 520003, "Cannot edit a poll message")
		return &no
	case len(m.Snapshots) > 0:
		no = fail(http.StatusBadRequest, 50021, "Cannot execute action on a system message")
		return &no
	}
	if bad := s.enclose(c, changed, m.Attachments, d, q); bad != nil {
		return bad
	}
	if d.Flags != nil {
		changed.Flags = m.Flags&^flagSuppressEmbeds | *d.Flags&(flagSuppressEmbeds|flagComponentsV2)
	}
	return layout(changed)
}

// layout says no to a message that is laid out by components and has text or embeds of its own as well.
func layout(m *Message) *reply {
	if m.Flags&flagComponentsV2 == 0 {
		if e := classic(m.Components); e != nil {
			no := invalidForm(e)
			return &no
		}
		return nil
	}
	legacy := func(path string) *reply {
		no := invalidForm(&fieldError{path, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
			"The '" + path + "' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"})
		return &no
	}
	switch {
	case m.Content != "":
		return legacy("content")
	case len(m.Embeds) > 0:
		return legacy("embeds")
	case len(m.StickerItems) > 0:
		return legacy("sticker_ids")
	case m.Poll != nil:
		return legacy("poll")
	}
	return nil
}

// voiced holds a voice message to one audio file with its length and wave form, and nothing else.
func voiced(m *Message) *reply {
	var no reply
	switch {
	case m.Content != "" || len(m.Embeds) > 0 || len(m.Components) > 0 || len(m.StickerItems) > 0 || m.Poll != nil:
		no = fail(http.StatusBadRequest, 50159, "Voice messages do not support additional content")
	case len(m.Attachments) != 1 || !audible(m.Attachments[0].ContentType):
		no = fail(http.StatusBadRequest, 50160, "Voice messages must have a single audio attachment")
	case m.Attachments[0].Duration <= 0 || m.Attachments[0].Duration > maxSeconds || m.Attachments[0].Waveform == "":
		no = fail(http.StatusBadRequest, 50161, "Voice messages must have supporting metadata")
	default:
		return nil
	}
	return &no
}

func audible(kind string) bool {
	return strings.HasPrefix(kind, "audio/") || strings.HasPrefix(kind, "application/ogg")
}

// stick gives a message stickers of the guild; those of Discord itself are not simulated.
func (s *Server) stick(m *Message, ids []string) *reply {
	for _, id := range ids {
		known := false
		for _, own := range s.stickers {
			if own.ID == id && own.Available {
				known = true
				m.StickerItems = append(m.StickerItems, Sticker{ID: own.ID, Name: own.Name, Format: own.Format})
			}
		}
		if !known {
			no := fail(http.StatusBadRequest, 50081, "Invalid Sticker")
			return &no
		}
	}
	return nil
}

// distinct leaves out embeds that repeat the link of an earlier one, and takes white space off both ends of texts.
func distinct(embeds []json.RawMessage) []json.RawMessage {
	seen := map[string]bool{}
	var out []json.RawMessage
	for _, raw := range embeds {
		var e struct {
			URL string `json:"url"`
		}
		if json.Unmarshal(raw, &e) == nil && e.URL != "" {
			if seen[e.URL] {
				continue
			}
			seen[e.URL] = true
		}
		out = append(out, trimmed(raw))
	}
	return out
}

// trimmed takes white space off both ends of every text in a JSON value. Numbers stay as they were written.
func trimmed(raw json.RawMessage) json.RawMessage {
	var v any
	if decodeNumbers(raw, &v) != nil {
		return raw
	}
	text, err := json.Marshal(trim(v))
	if err != nil {
		return raw
	}
	return text
}

func trim(v any) any {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case []any:
		for i := range v {
			v[i] = trim(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = trim(v[k])
		}
	}
	return v
}
