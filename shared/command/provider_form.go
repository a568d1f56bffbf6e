package command

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// Fields of the form that asks for what reaches a provider.
const (
	fieldKey     = "key"
	fieldModel   = "model"
	fieldName    = "name"
	fieldAddress = "address"
)

const (
	maxProvider = 40  // characters of a provider's name
	maxModelLen = 100 // of a model's, so that it fits into a line of a menu
)

// houseName is what people call the installation's own model where a provider is named; no provider has this name.
const houseName = "installation"

// providerForm asks for what reaches a provider of the kind; id leads to the step that takes it. The name is asked for where
// there may be several of the kind.
func (u *use) providerForm(id string, k guild.Kind, named bool, name string) chat.Modal {
	m := chat.Modal{ID: id, Title: plain(u.kindName(k), 45)}
	if k.URL == "" {
		m.Fields = append(m.Fields, chat.Field{ID: fieldAddress, Label: u.say.Say("provider.form.address"), Hint: u.say.Say("provider.form.address_hint"),
			Example: "https://llm.example.com/v1", Required: true, Max: guild.MaxURL})
	}
	m.Fields = append(m.Fields,
		chat.Field{ID: fieldKey, Label: u.say.Say("provider.form.key"), Hint: u.say.Say("provider.form.key_hint"), Required: !k.Open, Max: maxKey},
		chat.Field{ID: fieldModel, Label: u.say.Say("provider.form.model"), Hint: u.say.Say("provider.form.model_hint"), Max: maxModelLen})
	if named || k.URL == "" {
		m.Fields = append(m.Fields, chat.Field{ID: fieldName, Label: u.say.Say("provider.form.name"), Hint: u.say.Say("provider.form.name_hint"), Value: name, Max: maxProvider})
	}
	return m
}

// offer is a provider as somebody wrote it into the form. The key is apart: it is a secret from the first moment on.
type offer struct {
	kind                 guild.Kind
	name, address, model string
}

// offered reads the form. Nothing is wrong with it when it was let through (providerWritten).
func (u *use) offered(kind string) (o offer, ok bool) {
	o.kind, ok = guild.KindOf(kind)
	o.address, o.model = o.kind.URL, u.Field(fieldModel)
	if o.address == "" {
		o.address, _ = cleanAddress(u.Field(fieldAddress))
	}
	o.name = cmp.Or(u.Field(fieldName), o.kind.Name)
	if o.kind.URL == "" && u.Field(fieldName) == "" {
		o.name = plain(hostOf(o.address), maxProvider)
	}
	return o, ok
}

// providerWritten looks at the form before it travels, and tidies it up. What it refuses is kept for another try, but for the
// key, and for what looks like one in a field that is no secret: it would be stored in the clear.
func (f *Front) providerWritten(ctx context.Context, u *use) (*chat.Answer, error) {
	kind := u.arg(0)
	k, ok := guild.KindOf(kind)
	if !ok {
		a := u.inPlace(u.text("provider.no_kind"))
		return &a, nil
	}
	if _, err := u.settings(ctx, f.Book); err != nil {
		return nil, err
	}
	faults := u.tidyProvider(k)
	if len(faults) == 0 {
		return nil, nil
	}
	a, err := u.refused(ctx, f.Book, faults, "again", kind)
	if err == nil && u.row.path == setupPath {
		a, err = u.inGuide(ctx, f.Book, f.offers(u.Guild), stepModel, a)
	}
	return &a, err
}

// tidyProvider cleans the fields in their places and says what is wrong with them.
func (u *use) tidyProvider(k guild.Kind) (faults []string) {
	fields := make([]chat.Option, len(u.Fields))
	for n, field := range u.Fields {
		var wrong string
		field.Value, wrong = tidyField(field, k, u.Field(fieldKey))
		if fields[n] = field; wrong != "" {
			most := maxProvider
			if field.Name == fieldModel {
				most = maxModelLen
			}
			faults = append(faults, u.say.Say(wrong, "n", most))
		}
	}
	u.Fields = fields
	return faults
}

// tidyField gives what is kept of a field, and the key of what is wrong with it.
func tidyField(field chat.Option, k guild.Kind, key string) (value, wrong string) {
	value = field.Value
	if field.Name == fieldKey {
		if strings.TrimSpace(value) == "" && k.Open {
			return "", ""
		}
		value, ok := cleanKey(value)
		if !ok {
			return "", "provider.form.bad_key"
		}
		return value, ""
	}
	if field.Name != fieldAddress {
		value = plain(value, 4*maxModelLen)
	}
	key = strings.TrimSpace(key)
	if len(key) >= anyKey && strings.Contains(value, key) || field.Name != fieldAddress && keyLike(value) {
		return "", "provider.form.key_elsewhere"
	}
	switch field.Name {
	case fieldAddress:
		address, wrong := cleanAddress(value)
		if wrong == "" {
			return address, ""
		}
		if wrong != "provider.failed.address" || keyLike(value) { // there is a secret in it
			value = ""
		}
		return value, wrong
	case fieldModel:
		if tooLong(value) {
			return value, "model.long"
		}
	case fieldName:
		switch {
		case utf8.RuneCountInString(value) > maxProvider:
			return value, "provider.form.long_name"
		case guild.SameName(value, houseName):
			return value, "provider.form.taken"
		}
	}
	return value, ""
}
