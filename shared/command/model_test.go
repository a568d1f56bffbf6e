package command_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

func TestAModelIsTriedAndChosen(t *testing.T) {
	s := newShop(t)
	p := adds(s)
	p.uses("model choose", "model", "large")
	p.reads("Model of OpenAI: **large** (was small). It answered after 0.8 s")
	before := p.sees.Text
	if p.again(); p.sees.Text != before || len(s.changes()) != 2 {
		t.Errorf("again it says %q, and there are %d changes", p.sees.Text, len(s.changes()))
	}
	p.uses("model choose", "model", "unlisted") // any that the server knows
	p.reads("**unlisted** (was large)")
	p.uses("model choose", "model", "huge")
	p.reads("does not know the model huge")
	p.uses("model choose", "model", goodKey)
	p.reads("where none belongs")
	p.uses("model choose", "model", strings.Repeat("ö", 101))
	p.reads("at most 100 characters")
	p.uses("model choose", "model", "unlisted")
	p.reads("already")
	if got := s.server().Providers[0].Model; got != "unlisted" {
		t.Errorf("it speaks with %q", got)
	}
	p.uses("model test")
	p.reads("✅ **OpenAI** works: unlisted")
}

func TestModelsToChooseFrom(t *testing.T) {
	s := newShop(t)
	for n := range 60 {
		s.at.models = append(s.at.models, fmt.Sprintf("model-%02d", n))
	}
	s.at.models = append(s.at.models, strings.Repeat("very-", 25)+"long") // too long for a value
	p := adds(s)
	if choices := p.types("model choose", "model", ""); len(choices) != 25 || choices[0].Value != "small" {
		t.Errorf("%d choices: %+v", len(choices), choices)
	}
	if choices := p.types("model choose", "model", "L-3"); len(choices) != 10 || choices[0].Value != "model-30" {
		t.Errorf("of L-3: %+v", choices)
	}
	p.uses("model list")
	p.reads("**OpenAI** speaks with **small**")
	p.presses("▶")
	p.presses("▶")
	p.presses("◀")
	p.chooses("model-40")
	p.reads("**model-40** (was small)")
	if chosen := p.sees.Rows[0].Menu; chosen == nil || !slices.ContainsFunc(chosen.Items, func(i chat.MenuItem) bool { return i.Chosen && i.Value == "model-40" }) {
		t.Errorf("the page of the one that speaks is not shown: %+v", p.sees.Rows)
	}
	p.presses("▶")
	long := p.sees.Rows[0].Menu.Items[len(p.sees.Rows[0].Menu.Items)-1]
	p.chooses(long.Value)
	p.reads("at most 100 characters")
}

func TestTheListIsPeoples(t *testing.T) {
	s := newShop(t)
	p := adds(s)
	p.uses("model add", "model", "unlisted")
	p.reads("**unlisted** answered after 0.8 s and is in the list of OpenAI now")
	p.again()
	p.reads("is in the list of OpenAI now")
	p.uses("model add", "model", "unlisted")
	p.reads("in the list already")
	p.uses("model add", "model", "nonsense")
	p.reads("does not know the model nonsense")
	p.uses("model remove", "model", "small")
	p.reads("small speaks right now")
	p.uses("model remove", "model", "large")
	p.reads("large is not in the list of OpenAI any more (it was)", "brings it back")
	p.uses("model remove", "model", "large")
	p.reads("not in the list")
	p.uses("provider test", "name", "OpenAI") // what the server lists is asked for again
	names := func() (list []string) {
		for _, c := range p.types("model choose", "model", "") {
			list = append(list, c.Value)
		}
		return list
	}
	if got := names(); !slices.Equal(got, []string{"small", "unlisted"}) {
		t.Errorf("the list is %q", got)
	}
	p.uses("model add", "model", "large")
	p.uses("model remove", "model", "unlisted")
	if got := names(); !slices.Equal(got, []string{"small", "large"}) {
		t.Errorf("the list is %q", got)
	}
	for n := range guild.MaxOwnModels + 1 { // it is full at last
		p.uses("model add", "model", fmt.Sprintf("unlisted-%d", n))
	}
	p.reads("At most 20 models can be added")
}

func TestTheInstallationsModelIsItsOperators(t *testing.T) {
	s := newShop(t)
	p := s.admin()
	for _, c := range []string{"choose", "add", "remove"} {
		p.uses("model "+c, "model", "x")
		p.reads("its operator chooses")
	}
	p.uses("model list")
	p.reads("its operator chooses")
	p.uses("model test")
	p.reads("✅ The model of this installation answers")
	if choices := p.types("model choose", "model", ""); len(choices) != 0 {
		t.Errorf("to choose from: %+v", choices)
	}
}
