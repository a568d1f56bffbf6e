package prompt

import "strings"

// prepareMacros is stage 2. It fixes what each macro stands for in this scene and expands the current input, once, as it
// enters. History is left alone: what is in it was expanded when it was said.
func prepareMacros(d *Draft) error {
	s := &d.Scene
	values := map[string]string{"user": s.Asker.Name, "char": s.Persona.Name}
	if !s.Now.IsZero() {
		values["date"] = s.Now.Format("January 2, 2006")
		values["time"] = s.Now.Format("3:04 PM")
		values["weekday"] = s.Now.Format("Monday")
		values["isodate"] = s.Now.Format("2006-01-02")
		values["isotime"] = s.Now.Format("15:04")
	}
	d.expand = func(text string) string { return expand(text, values) }
	for i, b := range d.Blocks {
		if b.Slot == CurrentInput {
			s.Input.Text = d.expand(s.Input.Text)
			d.Blocks[i] = d.line(s.Input, CurrentInput)
		}
	}
	return nil
}

// expand replaces {{name}} by its value, in one pass: a value is never looked at again, so somebody who is called
// "{{char}}" or "$1" is only that. Names ignore case and blanks around them; an unknown one stays as it is.
func expand(text string, values map[string]string) string {
	var out strings.Builder
	for {
		open := strings.Index(text, "{{")
		if open < 0 {
			break
		}
		for strings.HasPrefix(text[open+1:], "{{") { // of "{{{user}}" the inner pair is the macro
			open++
		}
		out.WriteString(text[:open])
		text = text[open:]
		end := strings.Index(text, "}}")
		if end < 0 {
			break
		}
		value, known := values[strings.ToLower(strings.TrimSpace(text[2:end]))]
		if !known {
			out.WriteString("{{") // and look for a macro inside what follows
			text = text[2:]
			continue
		}
		out.WriteString(value)
		text = text[end+2:]
	}
	out.WriteString(text)
	return out.String()
}
