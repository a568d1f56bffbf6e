package speech

import (
	"regexp"
	"strings"

	"github.com/rivo/uniseg"
)

const (
	widestTable = 100  // columns; a wider one would be broken by every screen
	longestRow  = 1000 // bytes
	heldTable   = 4000 // bytes of a table that are held back; what follows is set as another block
)

// table is a table of Markdown. Its rows may have fewer or more cells than its head.
type table struct {
	length int // of the source, without the last line break
	head   []string
	sides  []byte // 'l', 'c' or 'r' for each column
	rows   [][]string
}

var delimiters = regexp.MustCompile(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)

// tableAt reads a table at the start of a line; its rows begin with "|". Others, which cannot be told from prose before their
// second line has come, stay as they are, as those in quotations and lists do. More rows of a table that was too long to be
// held back are read with its head.
func tableAt(text string, head *table, whole bool) (table, verdict) {
	var t table
	if head != nil {
		t.head, t.sides = head.head, head.sides
	} else {
		switch is := t.begin(text, whole); is {
		case no, maybe:
			return t, is
		}
	}
	for t.length < len(text) && t.length < heldTable || t.length == 0 {
		at := t.length
		if at > 0 {
			at++ // the line break
		}
		line, complete := firstLine(text[at:], whole)
		switch {
		case line == "" && !complete || bordered(line) && !complete && len(line) <= longestRow || strings.Trim(line, " ") == "" && !complete && len(line) <= 3:
			return t, maybe
		case !bordered(line) || len(line) > longestRow:
			return t, t.any()
		}
		t.rows = append(t.rows, cells(line))
		t.length = at + len(line)
	}
	if t.length == len(text) && !whole {
		return t, maybe
	}
	return t, t.any()
}

// any tells whether there is something of a table.
func (t *table) any() verdict {
	if t.length == 0 {
		return no
	}
	return yes
}

// begin reads the head and the line under it.
func (t *table) begin(text string, whole bool) verdict {
	line, complete := firstLine(text, whole)
	begun := strings.TrimLeft(line, " ")
	switch {
	case len(line)-len(begun) > 3 || len(line) > longestRow:
		return no
	case !complete && (begun == "" || begun == "|"):
		return maybe
	case !bordered(line) || strings.HasPrefix(begun, "||"):
		return no
	case !complete:
		return maybe
	case len(line) == len(text):
		return undecided(whole)
	}
	under, complete := firstLine(text[len(line)+1:], whole)
	switch {
	case len(under) > longestRow || strings.Trim(under, "|:- \t") != "":
		return no
	case !complete:
		return maybe
	case !delimiters.MatchString(under) || !strings.Contains(under, "|"):
		return no
	}
	t.head = cells(line)
	for _, c := range cells(under) {
		side := byte('l')
		if strings.HasSuffix(c, ":") {
			if side = 'r'; strings.HasPrefix(c, ":") {
				side = 'c'
			}
		}
		t.sides = append(t.sides, side)
	}
	t.length = len(line) + 1 + len(under)
	return yes
}

func undecided(whole bool) verdict {
	if whole {
		return no
	}
	return maybe
}

// firstLine gives the first line, and whether its end has come.
func firstLine(text string, whole bool) (string, bool) {
	line, _, ended := strings.Cut(text, "\n")
	return line, ended || whole
}

// bordered tells whether a line begins with a border.
func bordered(line string) bool {
	begun := strings.TrimLeft(line, " ")
	return strings.HasPrefix(begun, "|") && len(line)-len(begun) <= 3
}

// cells are the cells of a row.
func cells(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var all []string
	begin := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			all = append(all, cell(line[begin:i]))
			begin = i + 1
		}
	}
	if last := cell(line[begin:]); last != "" || begin == 0 {
		all = append(all, last)
	}
	return all
}

var breaks = regexp.MustCompile(`(?i)<br ?/?>`)

func cell(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(breaks.ReplaceAllString(text, " "), `\|`, "|"))
}

var (
	plainer   = strings.NewReplacer("**", "", "__", "", "~~", "", "`", "", "\t", " ")
	codeEmoji = regexp.MustCompile(`<a?(:[A-Za-z0-9_]{2,32}:)[0-9]{15,20}>`)
)

// plain is a cell without the markup that a code block would show.
func plain(cell string) string {
	return strings.TrimSpace(codeEmoji.ReplaceAllString(plainer.Replace(cell), "$1"))
}

// table writes a table: as a code block whose columns are aligned as they are displayed, and where that would be too wide as a
// list.
func (d *dresser) table(t table) {
	if t.length >= heldTable {
		d.head = &t
	}
	lines := t.set()
	if lines == nil {
		for i, line := range t.listed() {
			if i > 0 {
				d.out.WriteByte('\n')
			}
			d.line(line, true)
		}
		return
	}
	d.out.WriteString("```\n" + strings.Join(lines, "\n") + "\n```")
}

// set are the lines of the code block; none where it would be too wide.
func (t table) set() []string {
	grid := [][]string{t.head}
	grid = append(grid, t.rows...)
	var widths []int
	for _, row := range grid {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 1)
			}
			widths[i] = max(widths[i], uniseg.StringWidth(plain(c)))
		}
	}
	total := 3 * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	if total > widestTable {
		return nil
	}
	var lines []string
	for i, row := range grid {
		line := make([]string, len(widths))
		for k, w := range widths {
			c := ""
			if k < len(row) {
				c = plain(row[k])
			}
			line[k] = t.pad(c, k, w)
		}
		lines = append(lines, strings.TrimRight(strings.Join(line, " | "), " "))
		if i == 0 {
			rule := make([]string, len(widths))
			for k, w := range widths {
				rule[k] = strings.Repeat("-", w)
			}
			lines = append(lines, strings.Join(rule, "-|-"))
		}
	}
	return lines
}

// pad brings a cell of column k to a width.
func (t table) pad(cell string, k, width int) string {
	missing := max(0, width-uniseg.StringWidth(cell))
	side := byte('l')
	if k < len(t.sides) {
		side = t.sides[k]
	}
	before := 0
	switch side {
	case 'r':
		before = missing
	case 'c':
		before = missing / 2
	}
	return strings.Repeat(" ", before) + cell + strings.Repeat(" ", missing-before)
}

// listed is the table as a list: an item a row.
func (t table) listed() []string {
	if len(t.rows) == 0 {
		return []string{"- " + strings.Join(t.head, " · ")}
	}
	var items []string
	for _, row := range t.rows {
		var said []string
		for i, c := range row {
			if i < len(t.head) && t.head[i] != "" && c != "" {
				c = t.head[i] + ": " + c
			}
			if c != "" {
				said = append(said, c)
			}
		}
		items = append(items, "- "+strings.Join(said, " · "))
	}
	return items
}
