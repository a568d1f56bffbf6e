package openai_test

import (
	"testing"

	"tsumugi/shared/provider/openai"
)

func TestProviderIsAWord(t *testing.T) {
	for base, want := range map[string]string{
		"https://openrouter.ai/api/v1":                                 "openrouter",
		"https://api.deepseek.com":                                     "deepseek",
		"https://API.DeepSeek.com./v1":                                 "deepseek",
		"https://api.anthropic.com/v1":                                 "anthropic",
		"https://generativelanguage.googleapis.com/v1beta/openai":      "google",
		"https://europe-west1-aiplatform.googleapis.com/v1/projects/p": "vertex",
		"https://integrate.api.nvidia.com/v1":                          "nvidia",
		"https://api.z.ai/api/paas/v4":                                 "zai",
		"https://api.z.ai/api/coding/paas/v4":                          "zaicoding",
		"https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1":    "bedrock",
		"https://text.novelai.net/oa/v1":                               "novelai",
		"https://models.example.com/deepseek.com":                      "custom",
		"https://notdeepseek.com/v1":                                   "custom",
		"http://127.0.0.1:11434":                                       "custom",
		"":                                                             "unknown",
		"://":                                                          "unknown",
	} {
		if got := openai.Provider(base); got != want {
			t.Errorf("%q: %s, want %s", base, got, want)
		}
	}
}
