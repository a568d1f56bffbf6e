// Package openai speaks the chat-completions wire of OpenAI and of the many servers that copy it (OpenRouter, Ollama,
// llama.cpp, vLLM, Azure): encode.go writes requests, chunk.go and stream.go read replies, failure.go reads errors, all pure;
// client.go and watch.go do the I/O; list.go and check.go find out what a server has and whether a key works there. What must
// not live here: other wire formats, choosing a model for a reply or a fallback, waiting for a rate limit to pass (the caller
// does), and the making of prompts. Nothing here logs, and no key and no body of a request or a reply is ever kept in an error.
package openai
