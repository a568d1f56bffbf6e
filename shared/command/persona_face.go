package command

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// personaFace shows the picture of a persona.
func (b *Back) personaFace(ctx context.Context, u *use) (chat.Answer, error) {
	p, people, err := u.who(ctx, b.Book)
	if err != nil {
		return u.declined(err)
	}
	face, err := b.Book.Face(ctx, u.Guild, p.ID)
	if err != nil {
		return chat.Answer{}, err
	}
	key := "persona.avatar.is"
	switch {
	case face == nil && p.Avatar != "":
		return u.linked(p, people, "persona.avatar.link"), nil
	case face == nil:
		key = "persona.avatar.none"
	}
	return u.withFace(p, people, u.say.Say(key, "name", shown(p.Name, maxShown)), face), nil
}

// withFace is an answer with a persona's picture, if it has one, and where that is seen.
func (u *use) withFace(p persona.Persona, people []persona.Persona, text string, face []byte) chat.Answer {
	a := chat.Answer{Text: text, Rows: []chat.ActionRow{{Buttons: []chat.Button{
		{ID: u.idOf("persona list", "show", refOf(p)), Label: u.say.Say("persona.avatar.back"), Style: chat.Plain}}}}}
	if face == nil {
		return a
	}
	seen := "persona.avatar.seen"
	if mainOf(people).ID == p.ID {
		seen = "persona.avatar.seen_main"
	}
	a.Text += "\n" + u.say.Say(seen)
	kind := http.DetectContentType(face)
	name := "face.png"
	if kind == "image/jpeg" {
		name = "face.jpg"
	}
	a.Files = []chat.File{{Name: name, Type: kind, Body: face}}
	return a
}

// linked is an answer about a picture that is somewhere else. Nobody here has looked at it.
func (u *use) linked(p persona.Persona, people []persona.Persona, key string) chat.Answer {
	a := u.withFace(p, people, u.say.Say(key, "name", shown(p.Name, maxShown), "link", "<"+p.Avatar+">"), nil)
	if mainOf(people).ID == p.ID {
		a.Text += "\n" + u.say.Say("persona.avatar.seen_main")
	}
	return a
}

// What is noted of a picture.
const (
	notedFace   = "a picture"
	notedLink   = "a link to a picture"
	notedNoFace = "no picture"
)

// avatar gives a persona a picture, takes it away, or shows it.
func (b *Back) avatar(ctx context.Context, u *use) (chat.Answer, error) {
	file, given := u.Files[u.Option("picture")]
	link, remove := strings.TrimSpace(u.Option("link")), u.Option("remove") == "true"
	switch {
	case given && remove, given && link != "", link != "" && remove:
		return u.text("persona.avatar.both"), nil
	case !given && link == "" && !remove:
		return b.personaFace(ctx, u)
	case link != "" && !persona.ValidLink(link):
		return u.text("persona.avatar.no_link"), nil
	}
	p, _, err := u.who(ctx, b.Book)
	if err != nil {
		return u.declined(err)
	}
	var face []byte
	if given {
		if face, err = b.picture(ctx, u, file); err != nil {
			return u.declined(err)
		}
	}
	return b.saveFace(ctx, u, p, face, link)
}

// picture fetches what somebody gave and makes a face of it.
func (b *Back) picture(ctx context.Context, u *use, file chat.Attachment) ([]byte, error) {
	if file.Size > maxPicture {
		return nil, no("persona.avatar.large", "most", maxPicture>>20)
	}
	body, err := b.Files.Fetch(ctx, file, maxPicture)
	switch chat.FailureOf(err) {
	case "":
	case chat.Rejected, chat.Vanished:
		return nil, no("persona.avatar.unread")
	default:
		return nil, err
	}
	face, err := portrait(body)
	switch {
	case errors.Is(err, errPictureLarge):
		return nil, no("persona.avatar.pixels", "most", maxSide)
	case errors.Is(err, errNoPicture):
		return nil, no("persona.avatar.format")
	}
	return face, err
}

// saveFace notes the change first, which sees whether the persona still lives here, and then keeps the picture: whoever repeats it
// comes to the same end. A persona that is deleted in between takes its picture with it.
func (b *Back) saveFace(ctx context.Context, u *use, p persona.Persona, face []byte, link string) (chat.Answer, error) {
	was, err := b.Book.Face(ctx, u.Guild, p.ID)
	if err != nil {
		return chat.Answer{}, err
	}
	c, err := u.changeOne(ctx, b.Book, func(p persona.Persona, _ []persona.Persona, note *guild.Change) (persona.Persona, error) {
		is := link
		if face != nil {
			is = persona.NameOfPicture(face)
		}
		if was == nil && face == nil && p.Avatar == is {
			return p, guild.ErrSame
		}
		note.Was, note.Is = notedOf(was, p.Avatar), notedOf(face, is)
		p.Avatar = is
		return p, nil
	})
	if err != nil {
		return u.declined(err)
	}
	if err := b.Book.SaveFace(ctx, u.Guild, p.ID, face); err != nil {
		return chat.Answer{}, err
	}
	now, people, err := u.who(ctx, b.Book)
	if errors.As(err, new(*because)) || err == nil && now.ID != p.ID {
		return u.text("persona.left"), b.Book.SaveFace(ctx, u.Guild, p.ID, nil)
	}
	if err != nil {
		return chat.Answer{}, err
	}
	key := "persona.avatar.set"
	switch {
	case c.Is == notedNoFace:
		key = "persona.avatar.removed"
	case c.Is == notedLink:
		return u.linked(now, people, "persona.avatar.linked"), nil
	case c.Was != notedNoFace:
		key = "persona.avatar.replaced"
	}
	return u.withFace(now, people, u.say.Say(key, "name", shown(now.Name, maxShown)), face), nil
}

func notedOf(face []byte, avatar string) string {
	switch {
	case face != nil:
		return notedFace
	case avatar != "":
		return notedLink
	}
	return notedNoFace
}
