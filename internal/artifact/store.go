// Package artifact keeps what tools made, for those who want a link instead of the
// thing itself: for a while in memory, or in files below one directory.
//
//	store := artifact.NewStore(nil)
//	a, err := store.Put(svg, "image/svg+xml", ".svg")
//	data, mimeType, ok := store.Get(a.Name)
//
//	dir, err := artifact.OpenDir("/srv/pictures")
//	err = dir.Write("docs/a.svg", svg, false)
//
// Whoever knows an artifact's name may have it; names cannot be guessed. The package
// knows nothing of doors: who may ask is decided there.
package artifact

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
)

// Limits of a [Store] where its options set none.
const (
	DefaultBytes = 64 << 20
	DefaultCount = 1000
)

// Scheme and Path are what an artifact's URI and its path over HTTP begin with; its
// name follows.
const (
	Scheme = "webodar://artifact/"
	Path   = "/artifacts/"
)

// Artifact is something in a store.
type Artifact struct {
	Name     string // 128 random bits in hexadecimal, and an extension
	MIMEType string
	Bytes    int
}

// URI names the artifact for MCP.
func (a Artifact) URI() string { return Scheme + a.Name }

// Path is where the artifact is over HTTP.
func (a Artifact) Path() string { return Path + a.Name }

// Options bound a store. The zero value takes the defaults.
type Options struct {
	Bytes int // of all artifacts together
	Count int
}

// Store keeps the newest artifacts, in memory. Its methods are safe for concurrent
// use.
type Store struct {
	opts Options

	mu     sync.Mutex
	bytes  int
	order  []string // of names, the oldest first
	byName map[string]item
}

type item struct {
	data     []byte
	mimeType string
}

// NewStore returns an empty store.
func NewStore(opts *Options) *Store {
	s := &Store{byName: map[string]item{}}
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Bytes <= 0 {
		s.opts.Bytes = DefaultBytes
	}
	if s.opts.Count <= 0 {
		s.opts.Count = DefaultCount
	}
	return s
}

// TooLargeError says that one artifact is larger than the whole store.
type TooLargeError struct{ Bytes, Limit int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%d bytes are more than the %d that are kept", e.Bytes, e.Limit)
}

// Put keeps data, which the caller must not change any more, and forgets the oldest
// artifacts where there is no room. extension begins with a point. The error is a
// [*TooLargeError].
func (s *Store) Put(data []byte, mimeType, extension string) (Artifact, error) {
	if len(data) > s.opts.Bytes {
		return Artifact{}, &TooLargeError{len(data), s.opts.Bytes}
	}
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	name := hex.EncodeToString(id[:]) + extension
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.order) > 0 && (len(s.order) >= s.opts.Count || s.bytes+len(data) > s.opts.Bytes) {
		oldest := s.order[0]
		s.order = s.order[1:]
		s.bytes -= len(s.byName[oldest].data)
		delete(s.byName, oldest)
	}
	s.order = append(s.order, name)
	s.byName[name] = item{data, mimeType}
	s.bytes += len(data)
	return Artifact{Name: name, MIMEType: mimeType, Bytes: len(data)}, nil
}

// Get returns an artifact by its name. The caller must not change data.
func (s *Store) Get(name string) (data []byte, mimeType string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it, ok := s.byName[name]
	return it.data, it.mimeType, ok
}

// NameOf returns the name in an artifact's URI.
func NameOf(uri string) (name string, ok bool) { return strings.CutPrefix(uri, Scheme) }
