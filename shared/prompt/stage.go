// Package prompt turns a scene into a request to a model, and a model's raw text into a reply. It is pure: time, token
// counters and all texts come in with the Scene. What must not live here: fetching or saving anything (package turn),
// wire formats (package provider and below), and cutting text for Discord (package speech).
package prompt

// Stage is one of the fourteen steps between a person's message and a saved reply. Traces, logs and golden files use
// these names.
type Stage string

// The stages, in the one order that holds for every kind of generation. 1 to 9 and 13 are pure and live here; 10 to 12
// are the provider adapters', 14 is package turn's.
const (
	UserInput             Stage = "user_input"
	Macros                Stage = "macros"
	CharacterData         Stage = "character_data"
	Lorebook              Stage = "lorebook"
	Memory                Stage = "memory"
	TokenCounting         Stage = "token_counting"
	ContextShifting       Stage = "context_shifting"
	Interceptors          Stage = "interceptors"
	InstructRendering     Stage = "instruct_rendering"
	ProviderSerialization Stage = "provider_serialization"
	SendRequest           Stage = "request"
	StreamingResponse     Stage = "streaming_response"
	PostProcessing        Stage = "post_processing"
	SaveMessage           Stage = "save_message"
)

// Stages gives all stages in order.
func Stages() []Stage {
	return []Stage{
		UserInput, Macros, CharacterData, Lorebook, Memory, TokenCounting, ContextShifting, Interceptors,
		InstructRendering, ProviderSerialization, SendRequest, StreamingResponse, PostProcessing, SaveMessage,
	}
}
