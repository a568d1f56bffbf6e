package discord

import (
	"fmt"
	"net/http"
	"strings"
)

// failure is an error as Discord's REST writes it.
type failure struct {
	Message string         `json:"message"`
	Code    int            `json:"code"`
	Errors  map[string]any `json:"errors,omitempty"`
}

// reply is what a route answers: a status and a body that becomes JSON, or none.
type reply struct {
	status int
	body   any
}

func ok(body any) reply { return reply{http.StatusOK, body} }

func fail(status, code int, message string) reply {
	return reply{status, failure{Message: message, Code: code}}
}

// Discord's refusals that the routes share, by the code a client branches on.
func unknownChannel() reply { return fail(http.StatusNotFound, 10003, "Unknown Channel") }
func unknownGuild() reply   { return fail(http.StatusNotFound, 10004, "Unknown Guild") }
func unknownMessage() reply { return fail(http.StatusNotFound, 10008, "Unknown Message") }
func unknownUser() reply    { return fail(http.StatusNotFound, 10013, "Unknown User") }
func missingAccess() reply  { return fail(http.StatusForbidden, 50001, "Missing Access") }
func noPermission() reply   { return fail(http.StatusForbidden, 50013, "Missing Permissions") }
func emptyMessage() reply   { return fail(http.StatusBadRequest, 50006, "Cannot send an empty message") }
func badJSON() reply {
	return fail(http.StatusBadRequest, 50109, "The request body contains invalid JSON.")
}
func unauthorized() reply { return fail(http.StatusUnauthorized, 0, "401: Unauthorized") }

// fieldError is one complaint about one field of a body or a query; the path is written with dots.
type fieldError struct{ path, code, message string }

func tooLong(path string, limit int) *fieldError {
	return &fieldError{path, "BASE_TYPE_MAX_LENGTH", fmt.Sprintf("Must be %d or fewer in length.", limit)}
}

func notSnowflake(path, value string) *fieldError {
	return &fieldError{path, "NUMBER_TYPE_COERCE", `Value "` + value + `" is not snowflake.`}
}

// invalidForm is Discord's answer to a body that parses but breaks a rule: the complaint sits at its path in nested objects.
func invalidForm(e *fieldError) reply {
	at := map[string]any{"_errors": []map[string]string{{"code": e.code, "message": e.message}}}
	parts := strings.Split(e.path, ".")
	for i := len(parts) - 1; i >= 0; i-- {
		at = map[string]any{parts[i]: at}
	}
	return reply{http.StatusBadRequest, failure{Message: "Invalid Form Body", Code: 50035, Errors: at}}
}
