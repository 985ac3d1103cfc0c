package httpcompat

import (
	"net/http"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
)

// toolList is the answer to GET /api/tools. Clients that exist rely on exactly
// these members.
type toolList struct {
	Tools []listedTool `json:"tools"`
}

type listedTool struct {
	ID          string             `json:"id"`
	Name        string             `json:"name"`
	Description string             `json:"description"`
	InputSchema *jsonschema.Schema `json:"inputSchema"`
}

// discover answers GET /api/tools. The list is made anew each time: the
// catalogue changes while it is used, and nobody asks for the list often.
func (h *handler) discover(w http.ResponseWriter, r *http.Request) (*document, *catalog.Error) {
	tools, guarded := h.visible(r)
	h.allowOrigins(w, r, getOnly, guarded)
	if ok, err := reads(w, r); !ok {
		return nil, err
	}
	list := toolList{Tools: make([]listedTool, len(tools))}
	for i, t := range tools {
		list.Tools[i] = listedTool{ID: t.Name, Name: t.Name, Description: t.Description, InputSchema: t.Input}
	}
	return encode(list)
}
