package prompt_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tsumugi/shared/prompt"
)

// cast is the prompt of a scene with Mira, Ana and Teo.
var cast = prompt.Prompt{Self: "Mira", Others: []string{"Ana", "Teo", "Rivers.", "http", "Mira"}}

func TestFinish(t *testing.T) {
	for _, c := range []struct{ trap, raw, want string }{
		{"plain", "hi", "hi"},
		{"trimmed", "\n  hi \n", "hi"},
		{"B43 own name", "Mira: hi", "hi"},
		{"B43 own name twice", "Mira: Mira: hi", "hi"},
		{"B43 own name over lines", "Mira:\n\nMira:\nhi", "hi"},
		{"B43 bold label", "**Mira:** hi", "hi"},
		{"B43 bold name", "**Mira**: hi", "hi"},
		{"B43 italic label", "*Mira:* hi", "hi"},
		{"own name in capitals", "MIRA: hi", "hi"},
		{"own name before a wide colon", "Mira：やあ", "やあ"},
		{"own name spaced from its colon", "Mira : hi", "hi"},
		{"own name that only begins the text", "Mira smiles.", "Mira smiles."},
		{"longer name than one's own", "Miranda: hi", "Miranda: hi"},
		{"emphasis that does not close with the label", "*Mira: waves*", "*Mira: waves*"},
		{"B43 own name in code", "```\nMira: hi\n```", "```\nMira: hi\n```"},
		{"B43 own name after the start", "hi\nMira: and more", "hi\nMira: and more"},
		{"only the own name", "Mira:", ""},
		{"name without a colon at the end", "I am Mira", "I am Mira"},
		{"other speaker", "hi\nAna: hello yourself\nTeo: ha", "hi"},
		{"other speaker in bold", "hi\n\n**Ana:** hello", "hi"},
		{"other speaker indented", "hi\n  Ana: hello", "hi"},
		{"other speaker first", "Ana: hello", ""},
		{"other speaker at the end", "hi\nAna:", "hi"},
		{"other speaker in a sentence", "I told Ana: no", "I told Ana: no"},
		{"other speaker in code", "```\nAna: x\n```\nok", "```\nAna: x\n```\nok"},
		{"speaker called like a scheme", "see\nhttp://example.org", "see\nhttp://example.org"},
		{"name with regular expression characters", "see\nRiversX: a\nRivers.: b", "see\nRiversX: a"},
		{"speaker called like the persona", "a\nMira: b", "a\nMira: b"},
		{"B67 thinking", "<think>a</think>B", "B"},
		{"B67 comparison", "a < b and a <b", "a < b and a <b"},
		{"B67 closer alone", "reasons</think>B", "B"},
		{"B67 closer alone after a label", "Mira: reasons</think>\n\nMira: B", "B"},
		{"B67 second closer", "<think>a</think>B</think>C", "BC"},
		{"B67 second closer alone", "a</think>B</think>C", "BC"},
		{"B67 self-closing", "<think/>B", "B"},
		{"B67 upper case and blanks", "<THINK >a</Think\n>B", "B"},
		{"B67 nested", "<think>a<think>b</think>c</think>B", "B"},
		{"B67 in code", "```\n<think>a</think>\n```", "```\n<think>a</think>\n```"},
		{"B67 in code with language", "```xml\n<think>\n```\n<think>x</think>B", "```xml\n<think>\n```\nB"},
		{"between backticks", "the `<think>` tag", "the `<think>` tag"},
		{"after one backtick", "it`<think>a</think>B", "it`B"},
		{"B67 unclosed", "B<think>a", "B"},
		{"B67 unclosed from the start", "<think>a", ""},
		{"B67 after visible text", "A <think>x</think>B", "A B"},
		{"broken tag at the end", "B<think", "B"},
		{"sign at the end", "a <", "a <"},
		{"other tag", "<thinker>a</thinker>", "<thinker>a</thinker>"},
		{"thinking tag", "<thinking>a</thinking>B", "B"},
		{"fence inside thinking", "<think>```\n</think>B", "B"},
		{"label inside thinking", "<think>\nAna: hm</think>B", "B"},
		{"B68 label after thinking", "<think>x</think>Mira: B", "B"},
		{"blank lines", "a\n\n\n\nb\n \n\t\nc", "a\n\nb\n\nc"},
		{"blank lines in code", "```\na\n\n\n\nb\n```", "```\na\n\n\n\nb\n```"},
		{"closing line with text after it", "```\na\n``` x\n\n\n\nb", "```\na\n``` x\n\n\n\nb"},
		{"own name as the last line", "hi\nMira:", "hi"},
		{"own name as the last line in bold", "hi\n\n**Mira:** \n", "hi"},
		{"own name as the last line in code", "```\nMira:", "```\nMira:"},
		{"C10 details", "<details><summary>S</summary>body</details>Hi", "Hi"},
		{"details with attributes", "A <DETAILS open class=\"x\">b</Details>B", "A B"},
		{"details nested", "<details>a<details>b</details>c</details>B", "B"},
		{"details unclosed", "B\n<details>\nsecret", "B"},
		{"details in code", "```\n<details>\n```\n`<details>` B", "```\n<details>\n```\n`<details>` B"},
		{"details closed only", "a</details>B", "aB"},
		{"details in thinking", "<think>I want <details></think>B", "B"},
		{"thinking in details", "<details>the <think> tag</details>B", "B"},
		{"word that begins like a tag", "<detailsx>a", "<detailsx>a"},
		{"end tokens", "Hi<|im_end|> there</s><|eot_id|><end_of_turn>", "Hi there"},
		{"end tokens of wide bars", "Hi<｜end▁of▁sentence｜>", "Hi"},
		{"turn of somebody else", "Hi<|im_end|>\n<|im_start|>user\nand you?", "Hi"},
		{"turn of somebody else, other tokens", "Hi<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nand you?", "Hi"},
		{"own turn", "<|im_start|>assistant\nMira: Hi", "Hi"},
		{"own turn, other tokens", "<|start_header_id|>assistant<|end_header_id|>\n\nHi", "Hi"},
		{"own turn without a role", "<|assistant|>Hi there", "Hi there"},
		{"token in code", "`<|im_end|>` and\n```\n</s>\n```", "`<|im_end|>` and\n```\n</s>\n```"},
		{"no token", "a <| b |> c <||> <|", "a <| b |> c <||> <|"},
		{"tag around it all", "<response>\nHi <b>you</b>\n</Response>", "Hi <b>you</b>"},
		{"leaked note", "[System: be kind]\nHi", "Hi"},
		{"leaked note in the text", "Hi [SYSTEM NOTE: the user [Ana] left] there", "Hi  there"},
		{"leaked note on its line", "a\n[System: x]\nb", "a\nb"},
		{"leaked note unclosed", "Hi\n[System: x\nthere", "Hi\nthere"},
		{"no note", "[systemd: x] [System] [Sys", "[systemd: x] [System] [Sys"},
		{"leaked note in code", "`[System: x]`\n```\n[System: x]\n```", "`[System: x]`\n```\n[System: x]\n```"},
		{"nothing", "", ""},
		{"only a zero-width space", "\u200b", "\u200b"},
		{"only fillers", "\u3164\u2800", "\u3164\u2800"},
	} {
		t.Run(c.trap, func(t *testing.T) {
			got := prompt.Finish(cast, c.raw)
			if got.Text != c.want {
				t.Errorf("got %q, want %q", got.Text, c.want)
			}
			if empty := strings.Trim(c.want, "\u200b\u3164\u2800") == ""; got.Empty != empty {
				t.Errorf("empty: got %v", got.Empty)
			}
			if !strings.Contains(c.trap, "alone") { // what a closer alone takes away may have been shown
				for cut := range len(c.raw) + 1 {
					startsWith(t, got.Text, prompt.Visible(cast, c.raw[:cut]))
				}
			}
		})
	}
}

// Who begins as somebody else is asked again; when there is nothing better, the words behind the label will do.
func TestFinishC19KeepsWhatWasSaidAsAnother(t *testing.T) {
	for raw, want := range map[string]string{
		"Ana: hello": "hello", "**Teo:** hello\nAna: hi": "hello", "Ana: Teo: hi": "", "Ana:": "", "hi\nAna: hello": "", "Mira: Ana: so": "so", "Ana: hi\nMira:": "hi", "<think>x</think>Ana: yes": "yes",
	} {
		if got := prompt.Finish(cast, raw); got.Other != want || want != "" && !got.Empty {
			t.Errorf("%q: got %+v, want %q", raw, got, want)
		}
	}
}

func startsWith(t interface{ Errorf(string, ...any) }, final, visible string) {
	if !strings.HasPrefix(final, strings.TrimSpace(visible)) {
		t.Errorf("%q was shown, but the reply is %q", visible, final)
	}
}

func TestVisibleShowsWhatIsCertain(t *testing.T) {
	for raw, want := range map[string]string{
		"Hello th": "Hello th", "M": "", "Mi": "", "Mira:": "", "Mira: w": "w", "Mirr": "Mirr", "hi\nA": "hi", "hi\nAn": "hi",
		"hi\nAna:": "hi", "hi\nAnt": "hi\nAnt", "a <": "a", "a <t": "a", "a <b": "a", "a <x": "a <x", "hi\nMira": "hi", "hi\nMira: ": "hi", "hi\nMira: w": "hi\nMira: w", "a [Sys": "a", "a <|im": "a", "a [x": "a [x", "b<details>s": "b", "b<think>secret": "b",
		"b<think>s</thin": "b", "**": "", "**b": "**b", "caf\xc3": "caf", "```\n<th": "```\n<th",
	} {
		if got := prompt.Visible(cast, raw); got != want {
			t.Errorf("%q: got %q, want %q", raw, got, want)
		}
	}
}

// pieces are what traps are made of; any order of them is a text that a model might send.
var pieces = []string{
	"<think>", "</think>", "<THINK >", "<think/>", "<thinking>", "</thinking>", "<thi", "<", ">", "/", "`", "```", "```go\n", "\n", "\n\n",
	" ", "Mira:", "**Mira:** ", "*", "**", "Mira", "Mi", "Ana:", "Ana: ", "\nAna: ", "\nAn", "Teo", "hi", "secret", "é", "😀", "\u200b", "> ", "- ",
	"<details>", "</details>", "<details open>", "<|im_end|>", "<|im_start|>", "assistant\n", "<|", "|>", "</s>", "<response>", "[System: ", "[", "]", "[sys", "tem:",
	"：", ":", "\r\n", "\t", "http", "://x",
}

func TestVisibleIsTheStartOfTheReply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24).Draw(t, "pieces"), "")
		checkVisible(t, raw, rapid.IntRange(0, len(raw)).Draw(t, "cut"))
	})
}

func checkVisible(t interface{ Errorf(string, ...any) }, raw string, cut int) {
	if lower := strings.ToLower(raw); strings.Contains(lower, "</think") {
		// A closer may turn all before it into thinking; an opener in front rules that out.
		raw = "<think>x</think>" + raw
		cut += len("<think>x</think>")
	}
	visible, final := prompt.Visible(cast, raw[:cut]), prompt.Finish(cast, raw)
	startsWith(t, final.Text, visible)
	again := prompt.Finish(cast, raw[:cut])
	startsWith(t, again.Text, visible)
}

func FuzzFinish(f *testing.F) {
	for _, p := range pieces {
		f.Add(p+"hi"+p, len(p))
	}
	f.Fuzz(func(t *testing.T, raw string, cut int) {
		checkVisible(t, raw, min(max(cut, 0), len(raw)))
	})
}

func TestFinishIsLinear(t *testing.T) {
	for _, raw := range []string{
		strings.Repeat("<think>", 30_000), strings.Repeat("</think>", 30_000), strings.Repeat("Mira: ", 30_000), strings.Repeat("<", 200_000),
		strings.Repeat("\n", 200_000) + "a", strings.Repeat("`", 200_000), strings.Repeat("\nAn", 60_000), "<think" + strings.Repeat(" ", 200_000), strings.Repeat("[", 200_000), strings.Repeat("[System: ", 20_000),
		strings.Repeat("<details>", 20_000), strings.Repeat("<|im_start|>", 20_000), strings.Repeat("<|", 100_000), strings.Repeat("<details a", 20_000), strings.Repeat("\nMira:", 30_000),
	} {
		prompt.Finish(cast, raw)
		prompt.Visible(cast, raw)
	}
}
