// Package model is a model to talk to where none is configured or none is wanted: a server that speaks the chat-completions
// wire from a script and records what it was asked (server.go, script.go), the traps that real servers set (traps.go), and
// the demo voice, an llm.Model that plays the personas of a new installation without any model at all (demo.go). What must not live here:
// the client of that wire (package openai), and judgements about it (package llmtest).
//
// Besides POST …/chat/completions and GET …/models the server answers, for tests in other processes,
//
//	POST /sim/script    replaces the script: a JSON array of Rule
//	GET  /sim/requests  the requests so far, as a JSON array of their bodies
package model
