// Package engines holds the diagram engines that webodar embeds: official npm
// packages, pinned by package-lock.json, patched by named rules and compiled to
// bytecode.
//
// What is embedded is made by go generate and not committed. A binary built
// without it works, and [Mermaid] says what is missing.
package engines

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/webodar/webodar/internal/jsengine"
)

//go:generate go run ./cmd/assets

//go:embed assets
var assets embed.FS

// Names of the files that go generate writes into assets.
const (
	mermaidFile = "mermaid.bundle"
	noticesFile = "THIRD_PARTY_NOTICES.txt"
)

// MissingError says that the binary was built without an engine, or with one of
// another build.
type MissingError struct {
	Engine string
	Cause  error
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not in this binary: %v", e.Engine, e.Cause)
}

func (e *MissingError) Unwrap() error { return e.Cause }

// Hint says what to do about it.
func (e *MissingError) Hint() string {
	return "Full builds are at https://github.com/webodar/webodar/releases; from a checkout, run `go generate ./engines` (Node and npm are needed for that) and build again."
}

var errNotBuilt = errors.New("it was built without engine assets")

var mermaid = sync.OnceValues(func() (*jsengine.Bundle, error) { return open(assets, "mermaid", mermaidFile) })

// Mermaid returns mermaid's chunks, or a [*MissingError].
func Mermaid() (*jsengine.Bundle, error) { return mermaid() }

func open(files fs.FS, engine, file string) (*jsengine.Bundle, error) {
	asset, err := fs.ReadFile(files, "assets/"+file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &MissingError{Engine: engine, Cause: errNotBuilt}
	}
	if err != nil {
		return nil, err
	}
	bundle, err := jsengine.Open(asset)
	if err != nil {
		return nil, &MissingError{Engine: engine, Cause: err}
	}
	return bundle, nil
}

// Notices returns the licences of what is embedded; empty without assets.
func Notices() string {
	text, err := fs.ReadFile(assets, "assets/"+noticesFile)
	if err != nil {
		return ""
	}
	return string(text)
}
