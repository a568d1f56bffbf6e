package openai

import (
	"errors"
	"net/url"
	"strings"
	"sync"
)

// parseBase checks an address. Its errors do not repeat it: it may hold a secret.
func parseBase(base string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(base))
	switch {
	case err != nil:
		return nil, errors.New("model address: not a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("model address: must begin with http:// or https://")
	case u.Hostname() == "":
		return nil, errors.New("model address: names no host")
	case u.User != nil:
		return nil, errors.New("model address: must not hold a user or password; give the key by itself")
	}
	u.Fragment = ""
	return u, nil
}

// endpoint is the address of a call. A base that has a version somewhere in its path (/v1, /api/paas/v4, /v1beta/openai) is
// taken as it is, any other gets /v1; one that already names the chat call is understood.
func endpoint(base *url.URL, call string) string {
	u := *base
	path := strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions")
	versioned := false
	for _, s := range strings.Split(path, "/") {
		versioned = versioned || len(s) > 1 && s[0] == 'v' && s[1] >= '0' && s[1] <= '9'
	}
	if !versioned {
		path += "/v1"
	}
	u.Path, u.RawPath = path+"/"+call, ""
	return u.String()
}

// learned keeps what models have refused, so that only the first request pays for finding out.
type learned struct {
	mu sync.Mutex
	by map[string]without
}

// maxLearned bounds the models remembered; users may name models freely.
const maxLearned = 256

func (l *learned) of(model string) without {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.by[model]
}

func (l *learned) note(model string, w without) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by == nil || len(l.by) >= maxLearned {
		l.by = map[string]without{}
	}
	l.by[model] = w
}
