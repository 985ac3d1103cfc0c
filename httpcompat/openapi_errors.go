package httpcompat

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/webodar/webodar/internal/catalog"
)

// errorAnswer is one status that an error may have, with the codes it is for.
type errorAnswer struct {
	status int
	codes  []string
}

// name is what the document calls the answer.
func (a errorAnswer) name() string { return strings.ReplaceAll(http.StatusText(a.status), " ", "") }

// errorAnswers are all of them, by status. They come from the table that
// answers are made by, so that the document cannot disagree with the server.
func (h *handler) errorAnswers() []errorAnswer {
	codes := map[int][]string{}
	for code, status := range statusOfCode {
		codes[status] = append(codes[status], code)
	}
	// Two codes have a second status, see Status.
	codes[http.StatusBadRequest] = append(codes[http.StatusBadRequest], "SERIALIZATION_ERROR")
	codes[http.StatusServiceUnavailable] = append(codes[http.StatusServiceUnavailable], "BACKEND_DISCONNECTED")
	delete(codes, statusClientClosed)
	if !h.opts.TokenConfigured {
		delete(codes, http.StatusUnauthorized)
	}
	var answers []errorAnswer
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		answers = append(answers, errorAnswer{status, slices.Sorted(slices.Values(codes[status]))})
	}
	return answers
}

// toListing keeps the answers that a path which only reads may give.
func toListing(answers []errorAnswer) []errorAnswer {
	return without(answers, http.StatusBadRequest, http.StatusNotFound, http.StatusRequestTimeout,
		http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
		http.StatusBadGateway, http.StatusGatewayTimeout)
}

// toCall keeps the answers that a call of t may give: only guarded tools insist
// on a media type and reach other servers.
func toCall(t *catalog.Tool, answers []errorAnswer) []errorAnswer {
	if t.Exposure != catalog.Open {
		return answers
	}
	return without(answers, http.StatusUnsupportedMediaType, http.StatusBadGateway)
}

func without(answers []errorAnswer, statuses ...int) []errorAnswer {
	return slices.DeleteFunc(slices.Clone(answers), func(a errorAnswer) bool { return slices.Contains(statuses, a.status) })
}

// errorResponses are the answers as components of the document.
func errorResponses(answers []errorAnswer) object {
	responses := object{}
	for _, a := range answers {
		response := object{
			"description": http.StatusText(a.status) + ": " + strings.Join(a.codes, ", "),
			"content":     jsonContent(schemaRef("Error")),
		}
		if a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable {
			response["headers"] = object{"Retry-After": object{
				"description": "Seconds after which trying again makes sense", "schema": object{"type": "integer"},
			}}
		}
		responses[a.name()] = response
	}
	return responses
}

// errorRefs are an operation's references to the answers.
func errorRefs(answers []errorAnswer) object {
	refs := object{}
	for _, a := range answers {
		refs[strconv.Itoa(a.status)] = object{"$ref": "#/components/responses/" + a.name()}
	}
	return refs
}

// errorSchema describes [failure]. Tools may have codes of their own, so the
// known ones are examples.
func errorSchema() object {
	return object{
		"type": "object", "required": []string{"success", "error"},
		"properties": object{
			"success": object{"const": false},
			"error": object{
				"type": "object", "required": []string{"code", "message"},
				"properties": object{
					"code": object{
						"type": "string", "description": "What was wrong, for programs",
						"examples": slices.Sorted(maps.Keys(statusOfCode)),
					},
					"message": object{"type": "string", "description": "What was wrong and where, for people"},
					"details": object{"type": "object", "description": "Further facts; hint says what to do next"},
				},
			},
		},
	}
}
