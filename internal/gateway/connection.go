package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// legacy is the protocol version that is offered first: nearly every server
// speaks it or one before, and those of later versions alone say so.
const legacy = "2025-11-25"

// connection is a server that has shaken hands.
type connection struct {
	up      *upstream
	wire    wire
	session *mcp.ClientSession
	version string
	caps    *mcp.ServerCapabilities
	self    map[string]json.RawMessage // _meta of each request, from 2026-07-28 on
	serial  atomic.Int64
	served  atomic.Bool // it has answered a client's request

	mu    sync.Mutex
	calls map[int64]*call
}

// connect starts or dials the server and shakes hands.
func (u *upstream) connect(ctx context.Context) (*connection, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, u.config.ConnectTimeout, fmt.Errorf("it did not answer initialize within %s", u.config.ConnectTimeout))
	defer cancel()
	c, err := u.shakeHands(ctx, legacy)
	var answered *handshakeRefused
	if errors.As(err, &answered) && ctx.Err() == nil {
		if later, bad := u.shakeHands(ctx, modern); bad == nil {
			return later, nil
		}
	}
	if ctx.Err() != nil && err != nil {
		err = context.Cause(ctx)
	}
	return c, err
}

func (u *upstream) shakeHands(ctx context.Context, version string) (*connection, error) {
	c := &connection{up: u, calls: map[int64]*call{}}
	c.serial.Store(firstSerial)
	var transport mcp.Transport
	var http *httpWire
	switch {
	case u.config.Command != "":
		child, err := startChild(u.config, u.gateway.spawner, u.log, &u.gateway.redact)
		if err != nil {
			return nil, err
		}
		w := newStreamWire(newStdioPeer(child), u.log, c.receive)
		c.wire, transport = w, w
	case u.config.SSE:
		server, err := dialSSE(ctx, u.config)
		if err != nil {
			return nil, err
		}
		w := newStreamWire(server, u.log, c.receive)
		c.wire, transport = w, w
	default:
		http = newHTTPWire(u.config, u.log, c.receive)
		c.wire, transport = http, http.sdkTransport()
	}
	client := mcp.NewClient(u.gateway.self, &mcp.ClientOptions{
		Logger: slog.New(slog.DiscardHandler),
		Capabilities: &mcp.ClientCapabilities{
			//lint:ignore SA1019 deprecated by the protocol, and in use until it is removed
			Sampling:    &mcp.SamplingCapabilities{},
			Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}},
		},
	})
	session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		select {
		case <-c.wire.ended():
			if cause := c.wire.cause(); !errors.Is(cause, errSessionEnd) {
				err = cause
			}
		default:
		}
		c.wire.close(errors.New("the handshake failed"))
		return nil, handshakeError(err)
	}
	c.session = session
	res := session.InitializeResult()
	if c.version, c.caps = res.ProtocolVersion, res.Capabilities; c.caps == nil {
		c.caps = &mcp.ServerCapabilities{}
	}
	if c.version >= modern {
		c.self = map[string]json.RawMessage{
			mcp.MetaKeyProtocolVersion:    mustJSON(c.version),
			mcp.MetaKeyClientInfo:         mustJSON(u.gateway.self),
			mcp.MetaKeyClientCapabilities: json.RawMessage(`{"elicitation":{"form":{},"url":{}},"sampling":{}}`),
		}
	}
	switch {
	case http != nil:
		http.begin(session.ID(), c.version)
		http.tasks.Go(func() { http.attend(c) })
	case c.version >= modern:
		u.tasks.Go(func() {
			if err := c.subscribe(context.Background()); err != nil { // ends with the connection
				u.log.Debug("a server does not tell of changes", "err", err)
			}
		})
	}
	return c, nil
}

// handshakeError keeps what a person can use.
func handshakeError(err error) error {
	if refused := refusal(err); refused != nil {
		return &handshakeRefused{"it refuses initialize: " + refused.Message}
	}
	text := plainNetError(err).Error()
	if _, reason, ok := strings.Cut(text, rejected+": "); ok {
		text = reason
	}
	var inURL *url.Error
	if strings.HasPrefix(text, "sending ") && !errors.As(err, &inURL) { // it answered, with a status
		return &handshakeRefused{"the handshake failed: " + text}
	}
	return errors.New(text)
}

// handshakeRefused is a server that works and does not want: it may want the
// protocol without handshakes.
type handshakeRefused struct{ text string }

func (e *handshakeRefused) Error() string { return e.text }

// rejected is what the SDK says of requests that were not sent.
const rejected = "rejected by transport"

// refusal returns the error that a server answered with; nil for another kind.
func refusal(err error) *jsonrpc.Error {
	var inURL *url.Error
	var refused *jsonrpc.Error
	if errors.As(err, &inURL) || !errors.As(err, &refused) || refused.Message == rejected {
		return nil
	}
	return refused
}

// close ends the connection; requests that wait fail with cause.
func (c *connection) close(cause error) {
	if errors.Is(cause, errStopped) {
		if _, ok := c.wire.(*httpWire); ok {
			_ = c.session.Close() // says farewell; whether that is heard does not matter
		}
	}
	c.wire.close(cause)
	// The SDK's session has no transport any more.
	_ = c.session.Close()
}

// request sends a request of the gateway's own.
func (c *connection) request(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	serial := c.serial.Add(1)
	text := c.params(serial, &catalog.Request{}, mustJSON(params), nil)
	m, err := c.wire.roundTrip(ctx, newRequest(serial, method, text))
	if err != nil {
		return nil, err
	}
	return m.answer()
}

// ping finds out whether the server answers at all: an error is an answer.
func (c *connection) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.up.config.Health.Timeout, fmt.Errorf("it did not answer a ping within %s", c.up.config.Health.Timeout))
	defer cancel()
	method := "ping"
	if c.version >= modern {
		method = "server/discover"
	}
	_, err := c.request(ctx, method, nil)
	var refused *rpcError
	var broken *badAnswer
	if errors.As(err, &refused) || errors.As(err, &broken) {
		return nil
	}
	return err
}
