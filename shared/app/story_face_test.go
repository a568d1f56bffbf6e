package app_test

import (
	"errors"
	"fmt"

	simdiscord "tsumugi/shared/sim/discord"
)

// What stories tell of webhooks, and of the threads and posts that share one.

// hooks does what a moderator may do to the webhooks of the story's channel.
func (w *scene) hooks(what string) error {
	all, err := w.sim.Webhooks(w.home)
	if err != nil {
		return err
	}
	switch what {
	case "webhooks full":
		for n := len(all); n < 15; n++ {
			if _, err := w.sim.CreateWebhook(w.home, "ana", fmt.Sprint("feed ", n)); err != nil {
				return err
			}
		}
		return nil
	case "webhooks denied":
		return w.sim.SetOverwrite(w.home, simdiscord.Overwrite{For: string(w.us), Deny: []string{"MANAGE_WEBHOOKS"}})
	case "messages managed":
		return w.sim.SetOverwrite(w.home, simdiscord.Overwrite{For: string(w.us), Allow: []string{"MANAGE_MESSAGES"}})
	case "webhooks allowed":
		return w.sim.SetOverwrite(w.home, simdiscord.Overwrite{For: string(w.us)})
	}
	for _, h := range all {
		if h.Ours {
			err = errors.Join(err, w.sim.DeleteWebhook(h.ID))
		}
	}
	return err
}

// thread is the thread, or the post of a forum, of which the story tells. It is opened when somebody first speaks there.
func (w *scene) thread(name string) string {
	if id := w.threads[name]; id != "" {
		return id
	}
	parent, spec := w.lounge, simdiscord.ThreadSpec{Author: "ana", Name: name}
	if name == "post" {
		forum, err := w.sim.CreateChannel(simdiscord.ChannelSpec{Guild: w.guild, Name: "forum", Type: 15})
		if err != nil {
			w.fault("%v", err)
			return name
		}
		parent, spec.Content = forum.ID, "What do you think?"
	}
	t, err := w.sim.StartThread(parent, spec)
	if err != nil {
		w.fault("%v", err)
		return name
	}
	w.threads[name] = t.ID
	return t.ID
}
