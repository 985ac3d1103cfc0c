package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// message is a JSON-RPC message from an upstream, as it stands.
type message struct {
	raw            []byte
	id             []byte // nil for a notification
	method         string // empty for a response
	params         []byte
	result, failed []byte
}

// maxAnswer is the most bytes of one message from an upstream.
const maxAnswer = 64 << 20

// readMessage takes a message apart. The error is a reason in words.
func readMessage(raw []byte) (*message, error) {
	if bad := wirejson.Check(raw, catalog.MaxDepth); bad != nil {
		return nil, bad
	}
	if wirejson.Kind(raw) != '{' {
		return nil, fmt.Errorf("a message is an object, this is %s", wirejson.TypeName(raw))
	}
	m := &message{raw: raw}
	for key, value := range wirejson.Members(raw) {
		switch key {
		case "id":
			m.id = value
		case "method":
			m.method, _, _ = wirejson.Unquote(value)
		case "params":
			m.params = value
		case "result":
			m.result = value
		case "error":
			m.failed = value
		}
	}
	if m.method == "" && (m.id == nil || m.result == nil && m.failed == nil) {
		return nil, errors.New("it is neither request nor response")
	}
	return m, nil
}

// serial returns the id as a number of this package's; 0 for another.
func (m *message) serial() int64 {
	n, err := strconv.ParseInt(string(m.id), 10, 64)
	if err != nil || n < firstSerial {
		return 0
	}
	return n
}

// sdk returns the message as the SDK takes it.
func (m *message) sdk() (jsonrpc.Message, error) { return jsonrpc.DecodeMessage(m.raw) }

// answer returns what a response says.
func (m *message) answer() (json.RawMessage, error) {
	if m.failed == nil {
		return m.result, nil
	}
	e := &catalog.WireError{}
	if err := json.Unmarshal(m.failed, e); err != nil {
		return nil, &badAnswer{"its error is no JSON-RPC error object"}
	}
	return nil, &rpcError{e}
}

// rpcError is an error that an upstream answered with: it works, and says no.
type rpcError struct{ *catalog.WireError }

func (e *rpcError) Error() string { return e.Message }

// badAnswer is an answer that breaks the protocol.
type badAnswer struct{ reason string }

func (e *badAnswer) Error() string { return "the answer breaks the protocol: " + e.reason }

// lostError is a request whose upstream or connection went away.
type lostError struct {
	cause error
	// unsent is set when the upstream cannot have executed the request.
	unsent bool
	// session is set when the connection is fine and the session is gone.
	session bool
}

func (e *lostError) Error() string { return e.cause.Error() }
func (e *lostError) Unwrap() error { return e.cause }

// firstSerial is the first id of this package's own requests; the SDK counts
// its own from 1.
const firstSerial = 1 << 30

// request is one request to an upstream, while it waits for its answer.
type request struct {
	serial int64
	method string
	name   string // of the tool or prompt, or the resource's URI
	text   []byte // the message
	call   *call  // on whose behalf; nil for the gateway's own
	header map[string]string

	dropped atomic.Bool // nobody waits any more; need not be sent
	sent    atomic.Bool // some of it may have left
	reply   chan reply
}

type reply struct {
	msg *message
	err error
}

func newRequest(serial int64, method string, params []byte) *request {
	var b bytes.Buffer
	b.Grow(len(params) + len(method) + 64)
	fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":%q`, serial, method)
	if params != nil {
		b.WriteString(`,"params":`)
		b.Write(params)
	}
	b.WriteByte('}')
	return &request{serial: serial, method: method, text: b.Bytes(), reply: make(chan reply, 1)}
}

// finish gives the request its answer; only the first counts.
func (r *request) finish(rep reply) {
	select {
	case r.reply <- rep:
	default:
	}
}

func notification(method string, params any) []byte {
	text, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", method, params})
	if err != nil { // params are maps of plain values
		panic(err)
	}
	return text
}

// waiting are the requests of one connection that have no answer yet.
type waiting struct {
	mu       sync.Mutex
	requests map[int64]*request
	closed   error
}

func (w *waiting) add(r *request) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed != nil {
		return &lostError{cause: w.closed, unsent: true}
	}
	if w.requests == nil {
		w.requests = map[int64]*request{}
	}
	w.requests[r.serial] = r
	return nil
}

func (w *waiting) remove(serial int64) *request {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.requests[serial]
	delete(w.requests, serial)
	return r
}

// fail ends all requests; later ones end at once.
func (w *waiting) fail(cause error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed == nil {
		w.closed = cause
	}
	for serial, r := range w.requests {
		r.finish(reply{err: &lostError{cause: w.closed, unsent: !r.sent.Load()}})
		delete(w.requests, serial)
	}
}

// wire carries messages to and from one upstream for as long as it is connected.
type wire interface {
	// roundTrip sends a request and waits for its answer. When ctx ends the
	// upstream is told, and the error is ctx's.
	roundTrip(ctx context.Context, r *request) (*message, error)
	// post sends a notification, or a response.
	post(ctx context.Context, text []byte) error
	// close ends the connection; requests that wait fail with cause.
	close(cause error)
	// ended is closed when the connection has ended.
	ended() <-chan struct{}
	// cause is why it ended.
	cause() error
}

// receiver takes what an upstream sends of its own accord. It must not block.
// call is the call that the message came with; nil where the transport does
// not tell.
type receiver func(m *message, call *call)
