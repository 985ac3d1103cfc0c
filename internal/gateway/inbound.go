package gateway

import (
	"regexp"
	"strconv"
)

// Methods that a server may use of its own accord.
const (
	methodProgress        = "notifications/progress"
	methodLog             = "notifications/message"
	methodToolsChanged    = "notifications/tools/list_changed"
	methodPromptsChanged  = "notifications/prompts/list_changed"
	methodResourcesChange = "notifications/resources/list_changed"
	methodUpdated         = "notifications/resources/updated"
	methodAcknowledged    = "notifications/subscriptions/acknowledged"
	methodSampling        = "sampling/createMessage"
	methodElicit          = "elicitation/create"
)

// forSDK reports whether a message that answers no request of this package's
// answers one of the SDK's: those of the handshake.
func forSDK(m *message) bool { return m.method == "" }

var idMember = regexp.MustCompile(`"id"\s*:\s*([0-9]{10,16})\s*[,}]`)

// guessSerial finds the id in a text that is no JSON, so that who waits for it
// hears that the answer is broken.
func guessSerial(line []byte) int64 {
	m := idMember.FindSubmatch(line)
	if m == nil {
		return 0
	}
	n, err := strconv.ParseInt(string(m[1]), 10, 64)
	if err != nil || n < firstSerial {
		return 0
	}
	return n
}
