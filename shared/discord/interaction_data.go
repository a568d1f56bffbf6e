package discord

import (
	"encoding/json"

	"github.com/bwmarrin/discordgo"

	"tsumugi/shared/chat"
)

// optionData is a value that was given for an option, or a group or subcommand with more of them.
type optionData struct {
	Type    discordgo.ApplicationCommandOptionType `json:"type"`
	Name    string                                 `json:"name"`
	Value   json.RawMessage                        `json:"value"`
	Focused bool                                   `json:"focused"`
	Options []optionData                           `json:"options"`
}

// partData is a part of a form that was sent: a row or a label, what stands in it, or something that only shows.
type partData struct {
	CustomID   string          `json:"custom_id"`
	Value      json.RawMessage `json:"value"`
	Values     []string        `json:"values"`
	Components []partData      `json:"components"`
	Component  *partData       `json:"component"`
}

// fileData is a file that was given for an option or in a form.
type fileData struct {
	Name string `json:"filename"`
	Type string `json:"content_type"`
	Size int    `json:"size"`
	URL  string `json:"url"`
}

// commandOf is the name of a command with those of its group and subcommand behind it, what was given for its options, and the
// one that is being typed.
func commandOf(name string, options []optionData) (command string, given []chat.Option, focused string) {
	for len(options) == 1 && (options[0].Type == discordgo.ApplicationCommandOptionSubCommand || options[0].Type == discordgo.ApplicationCommandOptionSubCommandGroup) {
		name, options = name+" "+options[0].Name, options[0].Options
	}
	for _, o := range options[:min(len(options), maxOptions)] {
		v, ok := valueOf(o.Value)
		if !ok {
			continue
		}
		given = append(given, chat.Option{Name: oneLine(o.Name, maxCommand), Value: v})
		if o.Focused {
			focused = given[len(given)-1].Name
		}
	}
	return oneLine(name, maxCommand), given, focused
}

// valueOf is a text, a number or a truth value as text; false for what is none of them.
func valueOf(raw json.RawMessage) (string, bool) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return text(v, maxValue), true
	case float64, bool:
		return first(string(raw), maxCommand), true // as it was written: a large number would lose digits
	}
	return "", false
}

// valuesOf is what was chosen. Discord has no empty values: one that is empty was something else.
func valuesOf(all []string) []string {
	var chosen []string
	for _, v := range all[:min(len(all), maxValues)] {
		if v = text(v, maxCustomID); v != "" {
			chosen = append(chosen, v)
		}
	}
	return chosen
}

// fieldsOf is what was written into the fields of a form, in their order. What was chosen in a menu is a field of the same name
// for each.
func fieldsOf(parts []partData) []chat.Option {
	var given []chat.Option
	fields := 0
	var see func(p *partData, depth int)
	see = func(p *partData, depth int) {
		if name := text(p.CustomID, maxCustomID); name != "" && fields < maxFields {
			fields++
			if v, ok := valueOf(p.Value); ok {
				given = append(given, chat.Option{Name: name, Value: first(v, maxText)})
			}
			for _, v := range valuesOf(p.Values) {
				given = append(given, chat.Option{Name: name, Value: v})
			}
		}
		if depth == 0 {
			return
		}
		if p.Component != nil {
			see(p.Component, depth-1)
		}
		for n := range p.Components {
			see(&p.Components[n], depth-1)
		}
	}
	for n := range parts {
		see(&parts[n], 1) // a field stands in a row or in a label, and nowhere else
	}
	return given
}

// filesOf are the files by their ids. One whose address is too long to be Discord's is none.
func filesOf(all map[string]fileData) map[string]chat.Attachment {
	var files map[string]chat.Attachment
	for key, f := range all {
		if key = cleanID(key); key == "" || f.URL == "" || len(f.URL) > maxAddress || len(files) >= maxOptions {
			continue
		}
		if files == nil {
			files = map[string]chat.Attachment{}
		}
		files[key] = chat.Attachment{URL: text(f.URL, maxAddress), Name: oneLine(f.Name, maxFileName), Type: oneLine(f.Type, maxFileType), Size: max(f.Size, 0)}
	}
	return files
}
