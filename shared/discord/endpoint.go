package discord

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"tsumugi/shared/chat"
)

const (
	// maxInteraction bounds the body of an interaction in bytes. Discord's largest, with a message and its embeds, have a tenth.
	maxInteraction = 1 << 20
	// freshFor is how far the time of a signature may be from ours: what was signed earlier is somebody's who has heard it.
	freshFor = 5 * time.Minute
)

// errPublicKey would be a panic of discordgo at the first interaction.
var errPublicKey = errors.New("the application's public key is not 64 hexadecimal digits")

// Endpoint is where Discord posts interactions. It makes no call of its own before it answers: Discord waits three seconds.
type Endpoint struct {
	key    ed25519.PublicKey
	answer func(context.Context, chat.Interaction) chat.Answer
}

// NewEndpoint answers what is signed with the application's key, which is given in hex as the developer portal shows it.
func NewEndpoint(publicKey string, answer func(context.Context, chat.Interaction) chat.Answer) (*Endpoint, error) {
	key, err := hex.DecodeString(publicKey)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errPublicKey
	}
	return &Endpoint{key, answer}, nil
}

// ServeHTTP answers one interaction. What Discord has not signed gets 401: Discord sends such itself now and then, and takes
// the endpoint away from an application that accepts it.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxInteraction))
	if err != nil {
		http.Error(w, "the body could not be read, or is too large", http.StatusRequestEntityTooLarge)
		return
	}
	if !e.signed(r, body) {
		http.Error(w, "invalid request signature", http.StatusUnauthorized)
		return
	}
	i, ping, err := decodeInteraction(body)
	if err != nil {
		slog.WarnContext(r.Context(), "a signed interaction was not understood", "error", err)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	reply := callback{Type: discordgo.InteractionResponsePong}
	if !ping {
		reply = callbackOf(i, e.answer(r.Context(), i))
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(reply); err != nil {
		slog.WarnContext(r.Context(), "an interaction was answered and the answer did not leave", "error", err)
	}
}

// signed tells whether Discord signed the body as it came, just now.
func (e *Endpoint) signed(r *http.Request, body []byte) bool {
	q := &http.Request{Header: r.Header, Body: io.NopCloser(bytes.NewReader(body))}
	if !discordgo.VerifyInteraction(q, e.key) {
		slog.InfoContext(r.Context(), "refused what Discord has not signed; Discord tries this itself now and then")
		return false
	}
	at, err := strconv.ParseInt(r.Header.Get("X-Signature-Timestamp"), 10, 64)
	if err != nil {
		slog.WarnContext(r.Context(), "refused a signature without a time")
		return false
	}
	if off := time.Since(time.Unix(at, 0)); off.Abs() > freshFor {
		slog.WarnContext(r.Context(), "refused a signed interaction of another time: either it is replayed, or the clock of this machine is wrong", "off", off.String())
		return false
	}
	return true
}
