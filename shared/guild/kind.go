package guild

// Kind is a kind of provider that people can choose from.
type Kind struct {
	ID   string // stable: it is stored
	Name string // the company's own
	URL  string // base address; "" when people must give it
	Keys string // where keys are made; "" when nobody knows
	Open bool   // it may work without a key
}

// Kinds are the providers whose servers understand OpenAI's chat-completions format, and the way to name any other such.
var Kinds = []Kind{
	{ID: "openai", Name: "OpenAI", URL: "https://api.openai.com/v1", Keys: "https://platform.openai.com/api-keys"},
	{ID: "openrouter", Name: "OpenRouter", URL: "https://openrouter.ai/api/v1", Keys: "https://openrouter.ai/keys"},
	{ID: "google", Name: "Google Gemini", URL: "https://generativelanguage.googleapis.com/v1beta/openai", Keys: "https://aistudio.google.com/apikey"},
	{ID: "anthropic", Name: "Anthropic", URL: "https://api.anthropic.com/v1", Keys: "https://console.anthropic.com/settings/keys"},
	{ID: "deepseek", Name: "DeepSeek", URL: "https://api.deepseek.com/v1", Keys: "https://platform.deepseek.com/api_keys"},
	{ID: "nvidia", Name: "NVIDIA", URL: "https://integrate.api.nvidia.com/v1", Keys: "https://build.nvidia.com"},
	{ID: "zai", Name: "Z.ai", URL: "https://api.z.ai/api/paas/v4", Keys: "https://z.ai/manage-apikey/apikey-list"},
	{ID: "zaicoding", Name: "Z.ai coding plan", URL: "https://api.z.ai/api/coding/paas/v4", Keys: "https://z.ai/manage-apikey/apikey-list"},
	{ID: "custom", Name: "Another server", Open: true},
}

// KindOf finds a kind by its ID.
func KindOf(id string) (Kind, bool) {
	for _, k := range Kinds {
		if k.ID == id {
			return k, true
		}
	}
	return Kind{}, false
}
