package persona

// The limits of lore that Validate enforces.
const (
	MaxLore     = 200   // entries of one persona
	MaxLoreText = 8_192 // bytes of one entry
)

// Lore is something about a persona's world that belongs into a prompt only when it is talked about.
type Lore struct {
	Keys []string `json:"keys"` // any of them calls it; matched as triggers are
	Text string   `json:"text"`
}

// Called tells whether one of the texts talks about it.
func (l Lore) Called(texts ...string) bool {
	called := Persona{Triggers: l.Keys}
	for _, text := range texts {
		if _, ok := called.Matches(text); ok {
			return true
		}
	}
	return false
}
