package command

import (
	"strings"
	"unicode"

	"tsumugi/shared/chat"
)

// complete gives those of the choices whose name fits what has been typed so far: first those that begin like it, then those that
// contain it, each in their order. Case, blanks and the width of letters do not matter.
func complete(all []chat.Choice, typed string) []chat.Choice {
	var begin, contain []chat.Choice
	typed = alike(typed)
	for _, c := range all {
		switch name := alike(c.Name); {
		case strings.HasPrefix(name, typed):
			begin = append(begin, c)
		case strings.Contains(name, typed):
			contain = append(contain, c)
		}
	}
	list := append(begin, contain...)
	return list[:min(len(list), maxChoices)]
}

// alike is a text as it is compared with what is typed: in small letters of one width, with single blanks.
func alike(text string) string {
	var b strings.Builder
	var last rune
	for _, r := range text {
		// The marks of voice are letters of their own beside half-width kana, and a part of the letter elsewhere.
		if with := voiced(last, r); with != 0 {
			whole := strings.TrimSuffix(b.String(), string(last))
			b.Reset()
			b.WriteString(whole)
			last = with
		} else {
			last = unicode.ToLower(unicode.ToUpper(wide(r)))
		}
		b.WriteRune(last)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// halfKana are the full-width letters of the half-width ones, in their order from U+FF65 on (Unicode, Halfwidth and Fullwidth Forms).
const halfKana = "・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜"

// wide is a letter as it is written normally: Latin ones narrow, kana wide.
func wide(r rune) rune {
	switch {
	case r == '\u3000':
		return ' '
	case '\uff01' <= r && r <= '\uff5e':
		return r - '\uff01' + '!'
	case '\uff65' <= r && r <= '\uff9f':
		return []rune(halfKana)[r-'\uff65']
	}
	return r
}

// voiced is the kana that a letter and a mark of voice behind it are together; 0 when they are none.
func voiced(letter, mark rune) rune {
	switch mark {
	case 'ﾟ', '\u309a':
		if strings.ContainsRune("ハヒフヘホ", letter) {
			return letter + 2
		}
	case 'ﾞ', '\u3099':
		if letter == 'ウ' {
			return 'ヴ'
		}
		if strings.ContainsRune("カキクケコサシスセソタチツテトハヒフヘホ", letter) {
			return letter + 1
		}
	}
	return 0
}
