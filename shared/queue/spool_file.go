package queue

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"tsumugi/shared/chat"
)

// spoolFile keeps events as lines: the version of the line, the CRC-32 of the body in eight hexadecimal digits, the body,
// which is one line of JSON. A line is written whole or it is the last one: a process that was killed while it wrote leaves
// a torn end, whose event was never acknowledged.
type spoolFile struct {
	path string
	f    *os.File
	size int64 // of the whole lines
	at   int64 // where the first line begins that was not read into memory
}

const lineVersion = "1"

// lineMost is the longest line: version, checksum, body and end.
const lineMost = MaxBody + len(lineVersion+" 00000000 \n")

// Errors of a file.
var (
	errFileFull  = errors.New("the spool's file is full")
	errDamaged   = errors.New("the line is damaged")
	errChecksum  = errors.New("the line does not have its checksum")
	errForeign   = errors.New("the line is of another version")
	errLong      = errors.New("the line is longer than an event")
	errIrregular = errors.New("the spool's file is no regular file")
)

// line writes a body as a line.
func line(buf *bytes.Buffer, body string) {
	fmt.Fprintf(buf, "%s %08x %s\n", lineVersion, crc32.ChecksumIEEE([]byte(body)), body)
}

// ofLine reads a body out of a line that has its end.
func ofLine(raw []byte) (string, error) {
	version, rest, ok := bytes.Cut(bytes.TrimSuffix(raw, []byte("\n")), []byte(" "))
	if ok && string(version) != lineVersion && len(version) < 8 && len(bytes.Trim(version, "0123456789")) == 0 && len(version) > 0 {
		return "", errForeign
	}
	sum, body, has := bytes.Cut(rest, []byte(" "))
	if !ok || !has || string(version) != lineVersion || string(sum) != fmt.Sprintf("%08x", crc32.ChecksumIEEE(body)) {
		return "", errChecksum
	}
	return string(body), nil
}

// ofBody makes an entry of a body.
func ofBody(body string) (*entry, error) {
	var e chat.Event
	if err := Decode(body, &e); err != nil {
		return nil, err
	}
	m, err := OfEvent(e)
	if err != nil {
		return nil, err
	}
	m.Body = body
	return &entry{Message: m, event: e.ID, filed: true}, nil
}

// ofRaw makes an entry of a line that has its end.
func ofRaw(raw []byte) (*entry, error) {
	body, err := ofLine(raw)
	if err != nil {
		return nil, err
	}
	return ofBody(body)
}

// openSpoolFile opens a file and gives the sizes of its lines, of one event each. Where it has anything that cannot be read, the whole file is set aside,
// and a new one has what can be.
func openSpoolFile(path string) (*spoolFile, []int, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, nil, errors.Join(fmt.Errorf("open %s: %w", path, errIrregular), err, f.Close())
	}
	s := &spoolFile{path: path, f: f}
	var good bytes.Buffer
	sizes, fault, err := s.scan(nil)
	if err == nil && fault != nil {
		_, _, err = s.scan(&good)
		err = errors.Join(err, s.setAside(fault, good.Bytes(), len(sizes)))
	}
	if err == nil {
		err = s.f.Truncate(s.size) // a torn end
	}
	if err != nil {
		return nil, nil, errors.Join(err, s.f.Close())
	}
	return s, sizes, nil
}

// scan reads all lines, and copies the good ones. It gives the sizes of those, and the first fault of the others. The file's
// size becomes that of all whole lines.
func (s *spoolFile) scan(good *bytes.Buffer) (sizes []int, fault, err error) {
	s.size = 0
	r := bufio.NewReaderSize(io.NewSectionReader(s.f, 0, 1<<62), 64<<10)
	for {
		raw, size, err := readLine(r)
		if errors.Is(err, io.EOF) {
			if size > int64(lineMost) { // nobody was killed while writing that
				s.size += size
				return sizes, cmp.Or(fault, errLong), nil
			}
			if len(raw) > 0 {
				slog.Warn("the end of the spool's file was torn; it is left out", "bytes", len(raw))
			}
			return sizes, fault, nil
		}
		if err != nil {
			return sizes, fault, err
		}
		s.size += size
		_, bad := ofRaw(raw)
		if size > int64(lineMost) {
			bad = errLong
		}
		if bad != nil {
			if fault == nil {
				fault = bad
			}
			continue
		}
		sizes = append(sizes, len(raw))
		if good != nil {
			good.Write(raw)
		}
	}
}

// readLine reads a line with its end, and gives its size. Of one longer than lineMost it keeps only the beginning. With io.EOF
// it is what there is without an end.
func readLine(r *bufio.Reader) (raw []byte, size int64, err error) {
	for {
		part, err := r.ReadSlice('\n')
		size += int64(len(part))
		if len(raw) < lineMost {
			raw = append(raw, part[:min(len(part), lineMost-len(raw))]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return raw, size, err
		}
	}
}

// setAside renames the file and goes on with a new one that has the good lines.
func (s *spoolFile) setAside(fault error, good []byte, records int) error {
	aside := fmt.Sprintf("%s.aside-%s", s.path, time.Now().UTC().Format("20060102T150405.000000"))
	if err := os.Rename(s.path, aside); err != nil {
		return err
	}
	slog.Error("the spool's file has lines that cannot be read: it is set aside, and what can be read of it is sent",
		"aside", aside, "sent", records, "error", fault)
	if err := s.f.Close(); err != nil {
		return err
	}
	f, err := os.OpenFile(s.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	s.f, s.size = f, int64(len(good))
	_, err = f.WriteAt(good, 0)
	return err
}

// append writes entries at the end: all or none.
func (s *spoolFile) append(entries []*entry, limit int64) error {
	var buf bytes.Buffer
	for _, e := range entries {
		line(&buf, e.Body)
		if s.size+int64(buf.Len()) > limit {
			return errFileFull
		}
	}
	if _, err := s.f.WriteAt(buf.Bytes(), s.size); err != nil {
		return errors.Join(err, s.f.Truncate(s.size))
	}
	s.size += int64(buf.Len())
	return nil
}

// next reads the event whose line has so many bytes. With errDamaged it has passed over it; after another error it reads the
// same line again.
func (s *spoolFile) next(size int) (*entry, error) {
	raw := make([]byte, size)
	if _, err := s.f.ReadAt(raw, s.at); err != nil && !errors.Is(err, io.EOF) { // an end before its end leaves zeroes
		return nil, err
	}
	s.at += int64(size)
	e, err := ofRaw(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return e, nil
}

// skip passes over all that is in the file: it was in memory when it was written.
func (s *spoolFile) skip() { s.at = s.size }

// reset empties the file.
func (s *spoolFile) reset() error {
	if err := s.f.Truncate(0); err != nil {
		return err
	}
	s.size, s.at = 0, 0
	return nil
}

// leave ends the file with the entries and what was not read of it, for the next process, and closes it. With neither the
// file goes. The old file stays until the new one is on the disk.
func (s *spoolFile) leave(entries []*entry, tail bool) (err error) {
	defer func() { err = errors.Join(err, s.f.Close()) }()
	if len(entries) == 0 && !tail {
		return os.Remove(s.path)
	}
	next, err := os.OpenFile(s.path+".next", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(next, 64<<10)
	for _, e := range entries {
		var buf bytes.Buffer
		line(&buf, e.Body)
		_, err = w.Write(buf.Bytes()) // the writer keeps its first error until Flush
	}
	if tail {
		_, err = io.Copy(w, io.NewSectionReader(s.f, s.at, s.size-s.at))
	}
	if err = errors.Join(err, w.Flush(), next.Sync(), next.Close()); err != nil {
		return errors.Join(err, os.Remove(next.Name()))
	}
	if err := os.Rename(next.Name(), s.path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(s.path))
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		slog.Warn("the directory of the spool's file was not synced", "error", err)
	}
	return nil
}
