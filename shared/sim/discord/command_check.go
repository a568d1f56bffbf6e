package discord

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// commandSize is how many characters a command may have in all its names, descriptions and values (docs: Application Command Structure).
const commandSize = 8000

// spelling is what names of chat commands and of options look like (docs: Application Command Naming).
var spelling = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// locales are the languages that Discord knows (docs: Locales).
var locales = map[string]bool{
	"id": true, "da": true, "de": true, "en-GB": true, "en-US": true, "es-ES": true, "es-419": true, "fr": true, "hr": true, "it": true,
	"lt": true, "hu": true, "nl": true, "no": true, "pl": true, "pt-BR": true, "ro": true, "fi": true, "sv-SE": true, "vi": true, "tr": true,
	"cs": true, "el": true, "bg": true, "ru": true, "uk": true, "hi": true, "th": true, "zh-CN": true, "ja": true, "zh-TW": true, "ko": true,
}

func dotted(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ".")
}

// wrongType is the complaint about a value of another type than the field's.
func wrongType(err error) *fieldError {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && wrong.Field != "" {
		return &fieldError{wrong.Field, "BASE_TYPE_CONVERT", "Could not interpret " + wrong.Value + "."}
	}
	return &fieldError{"", "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType"}
}

// between checks a length in code points.
func between(path, text string, least, most int) *fieldError {
	n := utf8.RuneCountInString(text)
	if least == 0 && n > most {
		return tooLong(path, most)
	}
	if n < least || n > most {
		return &fieldError{path, "BASE_TYPE_BAD_LENGTH", fmt.Sprintf("Must be between %d and %d in length.", least, most)}
	}
	return nil
}

// first returns the first complaint.
func first(all ...*fieldError) *fieldError {
	for _, bad := range all {
		if bad != nil {
			return bad
		}
	}
	return nil
}

// check finds what Discord would complain about.
func (c *command) check() *fieldError {
	name := between("name", c.Name, 1, 32)
	switch c.Type {
	case commandChat:
		name = spelled("name", c.Name)
		name = first(name, described("description", c.Description), checkOptions("options", c.Options, 0))
	case commandUser, commandMessage:
		if c.Description != "" {
			return &fieldError{"description", "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID", "Context menu commands cannot have description"}
		}
		if len(c.Options) > 0 {
			return &fieldError{"options", "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_INVALID", "Context menu commands cannot have options"}
		}
	default:
		return &fieldError{"type", "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3}."}
	}
	name = first(name, localized("name_localizations", c.NameLocalizations, 32, c.Type == commandChat),
		localized("description_localizations", c.DescriptionLocalizations, 100, false),
		someOf("contexts", c.Contexts, contextPrivate), someOf("integration_types", c.IntegrationTypes, 1))
	if size := c.size(); name == nil && size > commandSize {
		return &fieldError{"", "APPLICATION_COMMAND_TOO_LARGE", fmt.Sprintf("Command exceeds maximum size (%d)", commandSize)}
	}
	return name
}

// someOf checks a list of different small numbers that is absent or not empty.
func someOf(path string, values []int, most int) *fieldError {
	if values != nil && len(values) == 0 {
		return &fieldError{path, "BASE_TYPE_MIN_LENGTH", "Must be 1 or more in length."}
	}
	for i, v := range values {
		if v < 0 || v > most {
			return &fieldError{dotted(path, strconv.Itoa(i)), "BASE_TYPE_CHOICES", "This is none of the values that are possible here."}
		}
		if slices.Contains(values[:i], v) {
			return &fieldError{path, "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value"}
		}
	}
	return nil
}

// spelled checks a name of a chat command or an option: some characters only, and none that has a lower case.
func spelled(path, name string) *fieldError {
	switch {
	case name == "":
		return &fieldError{path, "BASE_TYPE_REQUIRED", "This field is required"}
	case utf8.RuneCountInString(name) > 32:
		return between(path, name, 1, 32)
	case !spelling.MatchString(name) || strings.ToLower(name) != name:
		return &fieldError{path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid"}
	}
	return nil
}

func described(path, text string) *fieldError {
	if text == "" {
		return &fieldError{path, "BASE_TYPE_REQUIRED", "This field is required"}
	}
	return between(path, text, 1, 100)
}

// localized checks translations; strict ones are held to the spelling of names.
func localized(path string, texts map[string]string, most int, strict bool) *fieldError {
	for locale, text := range texts {
		at := dotted(path, locale)
		if !locales[locale] {
			return &fieldError{at, "BASE_TYPE_CHOICES", "This is no locale of Discord."}
		}
		bad := between(at, text, 1, most)
		if strict {
			bad = spelled(at, text)
		}
		if bad != nil {
			return bad
		}
	}
	return nil
}

// checkOptions checks the options of a command (depth 0), of its subcommands or groups (1), or of a group's subcommands (2).
func checkOptions(path string, options []option, depth int) *fieldError {
	if len(options) > 25 {
		return tooLong(path, 25)
	}
	optional := false
	for i, o := range options {
		at := dotted(path, strconv.Itoa(i))
		nests := o.Type == optionSub || o.Type == optionGroup
		switch {
		case o.Type < optionSub || o.Type > optionAttachment:
			return &fieldError{dotted(at, "type"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}."}
		case nests != (options[0].Type == optionSub || options[0].Type == optionGroup):
			return &fieldError{at, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command and sub-command group option types are mutually exclusive to all other types"}
		case o.Type == optionGroup && depth > 0, o.Type == optionSub && depth > 1:
			return &fieldError{dotted(at, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-commands cannot be nested like this"}
		case slices.ContainsFunc(options[:i], func(b option) bool { return b.Name == o.Name }):
			return &fieldError{dotted(at, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name " + o.Name + " already used in these options"}
		case o.Required && optional:
			return &fieldError{at, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options must be placed before non-required options"}
		}
		optional = optional || !o.Required
		bad := first(spelled(dotted(at, "name"), o.Name), described(dotted(at, "description"), o.Description),
			localized(dotted(at, "name_localizations"), o.NameLocalizations, 32, true),
			localized(dotted(at, "description_localizations"), o.DescriptionLocalizations, 100, false))
		switch {
		case bad != nil:
		case o.Type == optionGroup:
			bad = checkGroup(at, o)
		case o.Type == optionSub:
			bad = checkOptions(dotted(at, "options"), o.Options, 2)
			if bad == nil && slices.ContainsFunc(o.Options, func(in option) bool { return in.Type <= optionGroup }) {
				bad = &fieldError{dotted(at, "options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-commands cannot be nested like this"}
			}
		default:
			bad = o.check(at)
		}
		if bad != nil {
			return bad
		}
	}
	return nil
}

// checkGroup checks a group, which holds subcommands and nothing else.
func checkGroup(at string, o option) *fieldError {
	for i, in := range o.Options {
		if in.Type != optionSub {
			return &fieldError{dotted(at, "options", strconv.Itoa(i), "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "A group holds sub-commands only"}
		}
	}
	return checkOptions(dotted(at, "options"), o.Options, 1)
}

// check checks what an option that takes a value may say about it.
func (o *option) check(at string) *fieldError {
	numeric := o.Type == optionInteger || o.Type == optionNumber
	choosy := numeric || o.Type == optionString
	only := func(field string, used, fits bool) *fieldError {
		if used && !fits {
			return &fieldError{dotted(at, field), "APPLICATION_COMMAND_OPTION_FIELD_INVALID", "An option of this type cannot have this field"}
		}
		return nil
	}
	bad := first(only("options", len(o.Options) > 0, false), only("choices", len(o.Choices) > 0, choosy), only("autocomplete", o.Autocomplete, choosy),
		only("channel_types", len(o.ChannelTypes) > 0, o.Type == optionChannel),
		only("min_value", o.MinValue != nil, numeric), only("max_value", o.MaxValue != nil, numeric),
		only("min_length", o.MinLength != nil, o.Type == optionString), only("max_length", o.MaxLength != nil, o.Type == optionString))
	if bad != nil {
		return bad
	}
	if o.Autocomplete && len(o.Choices) > 0 {
		return &fieldError{dotted(at, "choices"), "APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_CHOICES", "An option with autocomplete cannot have choices"}
	}
	for name, n := range map[string]*int{"min_length": o.MinLength, "max_length": o.MaxLength} {
		least := map[string]int{"max_length": 1}[name]
		if n != nil && (*n < least || *n > 6000) {
			return &fieldError{dotted(at, name), "NUMBER_TYPE_RANGE", fmt.Sprintf("int value should be between %d and 6000.", least)}
		}
	}
	return checkChoices(dotted(at, "choices"), o.Type, o.Choices)
}

// checkChoices checks values that an option offers: 25, named, each of the option's type, no name and no value twice.
func checkChoices(path string, kind int, choices []Choice) *fieldError {
	if len(choices) > 25 {
		return tooLong(path, 25)
	}
	for i, c := range choices {
		at := dotted(path, strconv.Itoa(i))
		if bad := first(between(dotted(at, "name"), c.Name, 1, 100), localized(dotted(at, "name_localizations"), c.NameLocalizations, 100, false)); bad != nil {
			return bad
		}
		if bad := checkValue(dotted(at, "value"), kind, c.Value); bad != nil {
			return bad
		}
		for _, before := range choices[:i] {
			if before.Name == c.Name {
				return &fieldError{dotted(at, "name"), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS", "The name is already used by another choice"}
			}
			if before.Value == c.Value {
				return &fieldError{dotted(at, "value"), "APPLICATION_COMMAND_OPTIONS_CHOICE_VALUE_ALREADY_EXISTS", "The value is already used by another choice"}
			}
		}
	}
	return nil
}

// checkValue checks the value of a choice, which was decoded with its digits.
func checkValue(path string, kind int, value any) *fieldError {
	switch v := value.(type) {
	case nil:
		return &fieldError{path, "BASE_TYPE_REQUIRED", "This field is required"}
	case string:
		if kind != optionString {
			return &fieldError{path, "NUMBER_TYPE_COERCE", "Value is no number."}
		}
		return between(path, v, 0, 6000)
	case json.Number:
		_, err := v.Int64()
		switch {
		case kind == optionString:
			return &fieldError{path, "BASE_TYPE_CONVERT", "Could not interpret number."}
		case kind == optionInteger && err != nil:
			return &fieldError{path, "NUMBER_TYPE_COERCE", "Value is no integer."}
		}
		return nil
	}
	return &fieldError{path, "BASE_TYPE_CONVERT", "Could not interpret this value."}
}

// size counts the characters of a command; of a text with its translations only the longest counts.
func (c *command) size() int {
	return longest(c.Name, c.NameLocalizations) + longest(c.Description, c.DescriptionLocalizations) + optionsSize(c.Options)
}

func optionsSize(options []option) int {
	n := 0
	for _, o := range options {
		n += longest(o.Name, o.NameLocalizations) + longest(o.Description, o.DescriptionLocalizations) + optionsSize(o.Options)
		for _, c := range o.Choices {
			n += longest(c.Name, c.NameLocalizations) + utf8.RuneCountInString(fmt.Sprint(c.Value))
		}
	}
	return n
}

func longest(text string, others map[string]string) int {
	n := utf8.RuneCountInString(text)
	for _, o := range others {
		n = max(n, utf8.RuneCountInString(o))
	}
	return n
}
