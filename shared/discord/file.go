package discord

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/textproto"
	"strconv"
	"strings"

	"tsumugi/shared/chat"
)

// Bounds of the files of one message. Servers that pay may be sent more.
const (
	maxFiles     = 10
	maxFileBytes = 10 << 20 // all together, as the body of a request has them
)

// attachmentBody tells which file of a request is meant, by its place among them.
type attachmentBody struct {
	ID   string `json:"id"`
	Name string `json:"filename"`
}

// fitting are the files that Discord takes, with names and types that can stand in a header.
func fitting(ctx context.Context, all []chat.File) []chat.File {
	var files []chat.File
	room := maxFileBytes
	for _, f := range all {
		if len(files) == maxFiles || len(f.Body) > room {
			slog.ErrorContext(ctx, "a file is left out of an answer: there are too many, or they are too large")
			continue
		}
		room -= len(f.Body)
		f.Name = cmp.Or(strings.NewReplacer(`"`, "'", `\`, "_", "/", "_").Replace(oneLine(f.Name, maxFileName)), "file")
		if kind, params, err := mime.ParseMediaType(f.Type); err != nil {
			f.Type = "application/octet-stream"
		} else {
			f.Type = mime.FormatMediaType(kind, params)
		}
		files = append(files, f)
	}
	return files
}

// multipartBody is a request's body with files, and its content type (Discord, Uploading Files).
func multipartBody(payload []byte, files []chat.File) ([]byte, string, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	add := func(disposition, kind string, body []byte) error {
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {disposition}, "Content-Type": {kind}})
		if err != nil {
			return err
		}
		_, err = part.Write(body)
		return err
	}
	err := add(`form-data; name="payload_json"`, "application/json", payload)
	for n, f := range files {
		if err == nil {
			err = add(fmt.Sprintf(`form-data; name="files[%d]"; filename="%s"`, n, f.Name), f.Type, f.Body)
		}
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), w.FormDataContentType(), err
}

// attachmentsOf names the files of a request.
func attachmentsOf(files []chat.File) []attachmentBody {
	list := []attachmentBody{}
	for n, f := range files {
		list = append(list, attachmentBody{strconv.Itoa(n), f.Name})
	}
	return list
}
