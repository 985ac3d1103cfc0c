package catalog

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Tool is one thing that a client can call. The value is immutable once it is
// in a catalogue.
type Tool struct {
	// Name is unique in the catalogue, 1 to 64 of [A-Za-z0-9_-].
	Name        string
	Title       string // for people
	Description string // for models: what it does and when to use it

	// Input describes the arguments: root type object. Output describes
	// [Result.Structured]; its root type is object and it admits errors (see
	// [OutputSchema]). Output may be nil.
	Input, Output *jsonschema.Schema

	Hints    Hints
	Exposure Exposure

	// OwnCodes says that Handler checks its arguments itself and has error
	// codes of its own for them. Otherwise [Catalog.Call] checks them against
	// Input and Handler sees only what passed.
	OwnCodes bool
	// OwnTimeout exempts the tool from the catalogue's time limit: it has a
	// limit of its own among its arguments.
	OwnTimeout bool
	// Timeout bounds a call in place of the catalogue's limit; 0 leaves that.
	Timeout time.Duration
	// Inline says that Handler only computes, for a time bounded by the size
	// of its input and far below any time limit, so that no timer is needed.
	Inline bool
	// MaxBody is the most bytes a REST body for this tool may have; 0 means
	// the server's message limit. TooLarge is the answer to a larger one; nil
	// means the server's own.
	MaxBody  int64
	TooLarge *Error
	// BadText is the answer to a REST body that is not UTF-8; nil means the
	// server's own.
	BadText *Error

	// Picture is the media type of [Result.Picture] where the tool gives one.
	Picture string

	// Mounted is set for a tool that another server runs. Its arguments are
	// checked and never changed.
	Mounted *Mounted

	Handler Handler
}

// Handler runs one call. args is a valid JSON object in UTF-8. A failure that
// the caller can act on is an *[Error]; any other error is a bug and is shown
// as an internal one. When ctx ends, Handler returns soon.
type Handler func(ctx context.Context, args json.RawMessage) (*Result, error)

// Hints are what a client may rely on before it calls (MCP's tool annotations).
type Hints struct {
	ReadOnly    bool // changes nothing
	Destructive bool // may destroy; of meaning only when not ReadOnly
	Idempotent  bool // calling twice is calling once
	OpenWorld   bool // reaches beyond this server
}

// Exposure says who may reach a tool over REST.
type Exposure int

const (
	// Open tools touch nothing but their input: any origin may call them.
	Open Exposure = iota
	// Guarded tools reach further: a token, or a loopback listener and no
	// foreign origin, is needed.
	Guarded
)

// Result is what a call gives back.
type Result struct {
	// Structured is a value that encodes as a JSON object: MCP's
	// structuredContent and REST's result.
	Structured any
	// Text is for a model to read. When empty, doors show Structured as JSON.
	Text string
	// Wire is the answer of a mounted server, an object as MCP defines it for
	// the method; the other members are then empty. See [Result.Failed].
	Wire json.RawMessage
	// Picture, if not nil, is the result itself: Structured repeats it.
	Picture *Picture
	// Links are resources that the result points at.
	Links []Link
	// Warnings are for the reader of Text. Structured repeats them.
	Warnings []string
}

// Warned is embedded in the result types of tools, so that warnings reach
// structured readers too.
type Warned struct {
	Warnings []string `json:"warnings,omitempty" jsonschema:"what the caller should know although the call succeeded"`
}

// Warn adds a warning.
func (w *Warned) Warn(text string) { w.Warnings = append(w.Warnings, text) }
