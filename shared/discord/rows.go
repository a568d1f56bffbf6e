package discord

import (
	"cmp"
	"log/slog"
	"net/url"
	"slices"
	"unicode/utf8"

	"tsumugi/shared/chat"
)

// Discord's bounds of what stands below a message, in characters or pieces.
const (
	maxRows      = 5
	maxButtons   = 5
	maxLabel     = 80
	maxMenuHint  = 150
	maxMenuItems = 25
	maxMenuItem  = 100
	maxLink      = 512
)

// unnamed is shown where there must be something to show.
const unnamed = "…"

// Components of messages, as Discord numbers them.
const (
	componentRow    = 1
	componentButton = 2
	styleLink       = 5
)

type (
	rowBody struct {
		Type       int   `json:"type"`
		Components []any `json:"components"`
	}
	buttonBody struct {
		Type  int    `json:"type"`
		Style int    `json:"style"`
		Label string `json:"label"`
		ID    string `json:"custom_id,omitempty"`
		URL   string `json:"url,omitempty"`
		Off   bool   `json:"disabled,omitempty"`
	}
	menuBody struct {
		Type     chat.MenuOf  `json:"type"`
		ID       string       `json:"custom_id"`
		Hint     string       `json:"placeholder,omitempty"`
		Items    []itemBody   `json:"options,omitempty"`
		Channels []int        `json:"channel_types,omitempty"`
		Chosen   []chosenBody `json:"default_values,omitempty"`
		Min      int          `json:"min_values"`
		Max      int          `json:"max_values"`
	}
	itemBody struct {
		Label  string `json:"label"`
		Value  string `json:"value"`
		Hint   string `json:"description,omitempty"`
		Chosen bool   `json:"default,omitempty"`
	}
	chosenBody struct {
		ID   string `json:"id"`
		Type string `json:"type"`
	}
)

// rowsOf are the rows below a message, without what Discord refuses: empty ones, and a second component of one id.
func rowsOf(all []chat.ActionRow) []rowBody {
	rows, used := []rowBody{}, map[string]bool{}
	fresh := func(id string) bool {
		if !customID(id) || used[id] {
			slog.Error("a component is left out: its id is empty, too long or used")
			return false
		}
		used[id] = true
		return true
	}
	add := func(parts []any) {
		if len(parts) > 0 && len(rows) < maxRows {
			rows = append(rows, rowBody{componentRow, parts})
		}
	}
	for _, r := range all {
		if r.Menu != nil {
			if m, ok := menuOf(*r.Menu); ok && fresh(m.ID) {
				add([]any{m})
			}
		}
		var buttons []any
		for _, b := range r.Buttons[:min(len(r.Buttons), maxButtons)] {
			if body, ok := buttonOf(b); ok && (body.URL != "" || fresh(body.ID)) {
				buttons = append(buttons, body)
			}
		}
		add(buttons)
	}
	return rows
}

// buttonOf is a button; false for one that leads nowhere.
func buttonOf(b chat.Button) (buttonBody, bool) {
	body := buttonBody{Type: componentButton, Style: int(b.Style), Label: first(cmp.Or(b.Label, unnamed), maxLabel), ID: b.ID, Off: b.Off}
	if body.Style < int(chat.Primary) || body.Style > int(chat.Danger) {
		body.Style = int(chat.Plain)
	}
	if b.URL == "" {
		return body, true
	}
	body.Style, body.ID, body.URL = styleLink, "", b.URL
	u, err := url.Parse(b.URL)
	return body, err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && utf8.RuneCountInString(b.URL) <= maxLink
}

// menuOf is a menu; false for one that offers nothing.
func menuOf(m chat.Menu) (menuBody, bool) {
	body := menuBody{Type: cmp.Or(m.Of, chat.OfTexts), ID: m.ID, Hint: first(m.Hint, maxMenuHint)}
	most := maxMenuItems
	if body.Type == chat.OfTexts {
		body.Items = itemsOf(m.Items)
		most = len(body.Items)
	}
	body.Max = min(max(m.Max, m.Min, 1), max(most, 1))
	body.Min = min(max(m.Min, 0), body.Max)
	if m.Min == 0 {
		body.Min = 1
	}
	switch body.Type {
	case chat.OfTexts:
		return body, keepChosen(body.Items, body.Max)
	case chat.OfChannels:
		body.Channels, body.Chosen = m.Channels, chosenOf(m.Chosen, "channel", body.Max)
	case chat.OfRoles:
		body.Chosen = chosenOf(m.Chosen, "role", body.Max)
	}
	return body, true
}

// itemsOf are the lines of a menu, without a second one of one value.
func itemsOf(all []chat.MenuItem) []itemBody {
	var items []itemBody
	for _, i := range all {
		used := slices.ContainsFunc(items, func(o itemBody) bool { return o.Value == i.Value })
		if i.Value == "" || utf8.RuneCountInString(i.Value) > maxMenuItem || used || len(items) == maxMenuItems {
			slog.Error("a line of a menu is left out: its value is empty, too long or used, or there are too many")
			continue
		}
		items = append(items, itemBody{first(cmp.Or(i.Label, i.Value), maxMenuItem), i.Value, first(i.Hint, maxMenuItem), i.Chosen})
	}
	return items
}

// keepChosen leaves no more lines chosen than may be, and tells whether there are any at all.
func keepChosen(items []itemBody, most int) bool {
	for n := range items {
		if items[n].Chosen {
			most--
		}
		items[n].Chosen = items[n].Chosen && most >= 0
	}
	return len(items) > 0
}

func chosenOf(ids []string, kind string, most int) []chosenBody {
	var chosen []chosenBody
	for _, s := range cleanIDs(ids, len(ids)) {
		if len(chosen) < most {
			chosen = append(chosen, chosenBody{s, kind})
		}
	}
	return chosen
}
