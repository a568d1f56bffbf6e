package openai

import (
	"net/url"
	"strings"
)

// hosts are the providers that an address tells, by the end of its host. The first that fits counts.
var hosts = []struct{ host, path, provider string }{
	{"openrouter.ai", "", "openrouter"},
	{"deepseek.com", "", "deepseek"},
	{"anthropic.com", "", "anthropic"},
	{"aiplatform.googleapis.com", "", "vertex"},
	{"generativelanguage.googleapis.com", "", "google"},
	{"nvidia.com", "", "nvidia"},
	{"novelai.net", "", "novelai"},
	{"z.ai", "/api/coding/", "zaicoding"},
	{"z.ai", "", "zai"},
	{"bigmodel.cn", "/api/coding/", "zaicoding"},
	{"bigmodel.cn", "", "zai"},
	{"amazonaws.com", "", "bedrock"},
}

// Provider is who serves the model at an address, in a word that says nothing of the address: one of the fixed values of the
// turns' metric. Whoever is not known is custom; where there is no address, unknown.
func Provider(base string) string {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil || u.Hostname() == "" {
		return "unknown"
	}
	host := "." + strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	for _, h := range hosts {
		if (strings.HasSuffix(host, "."+h.host) || strings.HasSuffix(host, "-"+h.host)) && strings.HasPrefix(u.Path, h.path) {
			return h.provider
		}
	}
	return "custom"
}
