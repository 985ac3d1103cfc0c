package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// maxRounds is how often a server may answer that it needs more.
const maxRounds = 10

// converse sends a job, and once more with the client's answers each time that
// the server answers with questions, as protocol 2026-07-28 has it (SEP-2322).
// Clients of that protocol answer themselves, to the same effect.
func (u *upstream) converse(ctx context.Context, c *connection, j *job) (json.RawMessage, error) {
	rq := catalog.RequestOf(ctx)
	for range maxRounds {
		res, err := u.send(ctx, c, j)
		if err != nil || textOf(res, "resultType") != "input_required" || ownVersion(rq) >= modern {
			return res, err
		}
		if rq.Client == nil {
			return nil, &badAnswer{"it asks for input, which this caller cannot be asked for"}
		}
		answers := map[string]json.RawMessage{}
		for id, question := range wirejson.Members(memberOf(res, "inputRequests")) {
			answer, err := rq.Client.Ask(ctx, textOf(question, "method"), memberOf(question, "params"))
			if err != nil {
				return nil, &badAnswer{"it asks for input, which the client did not give: " + err.Error()}
			}
			answers[id] = answer
		}
		next := *j
		next.replaced = maps.Clone(j.replaced)
		next.replaced["inputResponses"] = mustJSON(answers)
		if state := memberOf(res, "requestState"); state != nil {
			next.replaced["requestState"] = state
		}
		j = &next
	}
	return nil, &badAnswer{fmt.Sprintf("it asked for input %d times", maxRounds)}
}

// ownVersion is the protocol version that the client's request carries.
func ownVersion(rq *catalog.Request) string {
	return textOf(memberOf(rq.Params, "_meta"), perRequest+"protocolVersion")
}
