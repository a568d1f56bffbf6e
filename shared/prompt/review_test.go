package prompt_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"tsumugi/shared/llm"
	"tsumugi/shared/prompt"
)

func TestReadReview(t *testing.T) {
	revise := func(findings ...string) prompt.Review {
		return prompt.Review{Verdict: prompt.Revise, Findings: findings}
	}
	none := prompt.Review{Verdict: prompt.Unavailable}
	pass := prompt.Review{Verdict: prompt.Pass}
	for name, c := range map[string]struct {
		raw  string
		want prompt.Review
	}{
		"plain":                  {`{"verdict":"pass","findings":[]}`, pass},
		"no findings":            {`{"verdict":"pass"}`, pass},
		"in capitals":            {`{"Verdict":" PASS "}`, pass},
		"a revision":             {`{"verdict":"revise","findings":["too long","  it   speaks for Ana\n"]}`, revise("too long", "it speaks for Ana")},
		"one finding":            {`{"verdict":"revise","findings":"too long"}`, revise("too long")},
		"in a code block":        {"```json\n{\"verdict\": \"revise\", \"findings\": [\"x\"]}\n```", revise("x")},
		"between sentences":      {`I would say {"verdict":"pass"} and that is all.`, pass},
		"the last one counts":    {`First {"verdict":"pass"}, but no: {"verdict":"revise","findings":["{it} is \"wrong\""]}`, revise(`{it} is "wrong"`)},
		"braces behind it":       {`{"verdict":"pass"} {not this} {"nor":"this"}`, pass},
		"within another object":  {`{"review":{"verdict":"pass"}}`, pass},
		"after thinking":         {`<think>{"verdict":"revise","findings":["x"]}</think>{"verdict":"pass"}`, pass},
		"nothing to make better": {`{"verdict":"revise","findings":[" ",""]}`, none},
		"findings of no kind":    {`{"verdict":"revise","findings":[1,2]}`, none},
		"unavailable":            {`{"verdict":"unavailable"}`, none},
		"another word":           {`{"verdict":"perhaps"}`, none},
		"no object":              {`pass`, none},
		"cut off":                {`{"verdict":"pa`, none},
		"nothing":                {``, none},
		"broken bytes":           {"\xff{\xfe", none},
	} {
		if got := prompt.ReadReview(c.raw); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	many := `{"verdict":"revise","findings":["` + strings.Repeat(`a","`, 50) + strings.Repeat("x", 900) + `"]}`
	if got := prompt.ReadReview(many); len(got.Findings) != 8 {
		t.Errorf("%d findings", len(got.Findings))
	}
	long := `{"verdict":"revise","findings":["` + strings.Repeat("長", 900) + `"]}`
	if got := prompt.ReadReview(long); len(got.Findings) != 1 || utf8.RuneCountInString(got.Findings[0]) != 500 {
		t.Errorf("%+v", got)
	}
}

func FuzzReadReview(f *testing.F) {
	f.Add(`{"verdict":"revise","findings":["a"]}`)
	f.Add("```json\n{\"verdict\":\"pass\"}\n``` {{{")
	f.Add(strings.Repeat("{", 300))
	f.Fuzz(func(t *testing.T, raw string) {
		r := prompt.ReadReview(raw)
		switch r.Verdict {
		case prompt.Pass, prompt.Unavailable:
			if r.Findings != nil {
				t.Errorf("%s with findings", r.Verdict)
			}
		case prompt.Revise:
			if len(r.Findings) == 0 || len(r.Findings) > 8 {
				t.Errorf("%d findings", len(r.Findings))
			}
			for _, f := range r.Findings {
				if f == "" || utf8.RuneCountInString(f) > 500 || strings.Contains(f, "\n") {
					t.Errorf("finding %q", f)
				}
			}
		default:
			t.Errorf("the verdict is %q", r.Verdict)
		}
		if strings.Contains(raw, "{") && len(raw) < 1000 { // around it may stand what will
			if got := prompt.ReadReview(raw + `{"verdict":"pass"}`); got.Verdict != prompt.Pass && !strings.Contains(raw, "<") {
				t.Errorf("after %q it is %q", raw, got.Verdict)
			}
		}
	})
}

func TestWhatAReviewerReadsIsBounded(t *testing.T) {
	p := prompt.Prompt{Request: llm.Request{Model: "m", MaxTokens: 7, Messages: []llm.Message{
		{Role: llm.System, Text: "You are Mira."}, {Role: llm.User, Text: "old " + strings.Repeat("o", 50_000)}, {Role: llm.Assistant, Text: strings.Repeat("霧", 20_000)},
		{Role: llm.User, Text: "the newest"}}}}
	r := p.Reviewing("the candidate", "no puns")
	if len(r.Messages) != 2 || r.Model != "m" || r.MaxTokens != 7 || !strings.Contains(r.Messages[0].Text, "no puns") || strings.Contains(r.Messages[0].Text, "candidate") && strings.Contains(r.Messages[0].Text, "newest one") {
		t.Errorf("asked is %+v", r.Messages[0])
	}
	text := r.Messages[1].Text
	if n := len(text); n > prompt.MaxEvidence+100 || n < prompt.MaxEvidence-2000 || !utf8.ValidString(text) {
		t.Errorf("the evidence has %d bytes", n)
	}
	for _, want := range []string{"the candidate", "the newest", "old o"} {
		if !strings.Contains(text, want) {
			t.Errorf("the evidence lacks %q", want)
		}
	}
	if got := p.Reviewing(strings.Repeat("x", 200_000), ""); len(got.Messages[1].Text) > prompt.MaxEvidence+100 || !strings.Contains(got.Messages[1].Text, "the newest") {
		t.Errorf("with a long candidate the evidence has %d bytes", len(got.Messages[1].Text))
	}
	again := p.Revising("the candidate", []string{"too long", "too dull"})
	last := again.Messages[len(again.Messages)-1]
	if len(again.Messages) != 6 || len(p.Request.Messages) != 4 || last.Role != llm.User || !strings.Contains(last.Text, "- too long\n- too dull") || again.Messages[4].Text != "the candidate" {
		t.Errorf("asked again is %+v", again.Messages[4:])
	}
}
