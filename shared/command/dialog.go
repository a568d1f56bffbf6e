package command

import (
	"context"
	"slices"
	"strconv"

	"tsumugi/shared/chat"
)

// everywhere has the steps that every command has.
func everywhere() map[string]work { return map[string]work{keepStep: {now: (*Front).keep}} }

// keepStep leaves things as they are.
const keepStep = "keep"

// inPlace puts an answer where the dialogue stands, if there is one already.
func (u *use) inPlace(a chat.Answer) chat.Answer {
	a.Update = u.Message != ""
	return a
}

// confirm asks before something is destroyed: text says what would be lost, label is on the button that leads to the step.
func (u *use) confirm(text, label, step string, args ...string) chat.Answer {
	return u.inPlace(chat.Answer{Text: text, Rows: []chat.ActionRow{{Buttons: []chat.Button{
		{ID: u.id(step, args...), Label: cut(label, maxLabel), Style: chat.Danger},
		{ID: u.id(keepStep), Label: u.say.Say("dialog.keep"), Style: chat.Plain},
	}}}})
}

// keep is the answer of who would rather not.
func (f *Front) keep(_ context.Context, u *use) (chat.Answer, error) {
	return u.inPlace(u.text("dialog.kept")), nil
}

// Bounds of what is shown (Discord, Component Reference).
const (
	maxItems = 25  // lines of a menu
	maxLabel = 80  // characters of a button
	maxItem  = 100 // characters of a line of a menu, of its value, and of the hint below it
	maxText  = 2000
)

// paged is a menu of any number of items, and the buttons below that turn its pages. turn makes the custom id that leads to a
// page; the step behind it makes the menu again. A page that is gone, because the list became shorter, is the last one.
func (u *use) paged(m chat.Menu, page int, turn func(page int) (id string)) []chat.ActionRow {
	pages := max((len(m.Items)+maxItems-1)/maxItems, 1)
	if pages == 1 {
		return []chat.ActionRow{{Menu: &m}}
	}
	page = min(max(page, 0), pages-1)
	m.Items = slices.Clone(m.Items[page*maxItems : min((page+1)*maxItems, len(m.Items))])
	where := u.say.Say("dialog.page", "page", page+1, "pages", pages)
	return []chat.ActionRow{{Menu: &m}, {Buttons: []chat.Button{
		{ID: turn(page - 1), Label: "◀", Style: chat.Plain, Off: page == 0},
		{ID: turn(page), Label: where, Style: chat.Plain, Off: true}, // no button: it says where one is
		{ID: turn(page + 1), Label: "▶", Style: chat.Plain, Off: page == pages-1},
	}}}
}

// pageWith is the page on which an item stands, the first when there is none.
func pageWith(items []chat.MenuItem, value string) int {
	return max(slices.IndexFunc(items, func(i chat.MenuItem) bool { return i.Value == value }), 0) / maxItems
}

// page is the argument of a custom id that says which page; 0 when it says nothing.
func (u *use) page(n int) int {
	page, _ := strconv.Atoi(u.arg(n))
	return page
}

// short writes a snowflake in few characters, for custom ids; what is none stays as it is.
func short(id string) string {
	if n, err := strconv.ParseUint(id, 10, 64); err == nil && strconv.FormatUint(n, 10) == id {
		return strconv.FormatUint(n, 36)
	}
	return id
}

// long undoes short for what was a snowflake.
func long(id string) string {
	if n, err := strconv.ParseUint(id, 36, 64); err == nil {
		return strconv.FormatUint(n, 10)
	}
	return id
}
