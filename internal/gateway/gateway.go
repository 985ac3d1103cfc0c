package gateway

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/webodar/webodar/internal/catalog"
)

// Options configure a gateway. The zero value suits.
type Options struct {
	Version string // the program's, as servers are told
	Logger  *slog.Logger
	// Registerer takes the gateway's metrics; nil: nobody does.
	Registerer prometheus.Registerer
	// Announce passes on what a server says to all clients: a log message, or
	// that a resource has changed. Nil drops it.
	Announce func(method string, params json.RawMessage)
}

// Gateway mounts servers into a catalogue.
type Gateway struct {
	catalog *catalog.Catalog
	opts    Options
	self    *mcp.Implementation
	redact  redactor
	metrics *metrics
	spawner *spawner

	announcements chan announcement
	announcing    sync.WaitGroup

	applying   sync.Mutex   // one Apply or Close at a time
	wanted     atomic.Int64 // how often publish was called
	publishing sync.Mutex   // one publish at a time
	published  int64        // how many of those calls are answered; guarded by publishing

	mu            sync.Mutex
	upstreams     []*upstream // in the file's order
	clashes       []string
	level         atomic.Value // string: the log level that clients want
	warnings      []string
	subscriptions map[string]*subscription // by URI
	settled       chan struct{}            // closed when the first Apply's servers are known to be there or not
	closed        bool
}

type announcement struct {
	method string
	params json.RawMessage
}

// New returns a gateway without servers; the doors of c wait with their lists
// until the first [Gateway.Apply] has settled. It is called before c is used.
func New(c *catalog.Catalog, opts *Options) *Gateway {
	g := &Gateway{catalog: c, spawner: newSpawner(), settled: make(chan struct{}), announcements: make(chan announcement, queued), subscriptions: map[string]*subscription{}}
	if opts != nil {
		g.opts = *opts
	}
	if g.opts.Logger == nil {
		g.opts.Logger = slog.New(slog.DiscardHandler)
	}
	g.self = &mcp.Implementation{Name: "webodar", Title: "webodar gateway", Version: g.opts.Version}
	g.metrics = newMetrics(g, g.opts.Registerer)
	c.Settle(g.settled)
	g.announcing.Go(func() {
		for a := range g.announcements {
			if g.opts.Announce != nil {
				g.opts.Announce(a.method, a.params)
			}
		}
	})
	return g
}

// slowest is how long lists wait for servers that are late.
const slowest = 5 * time.Second

// Apply mounts the servers of a configuration. Those that are mounted already,
// and configured alike, are left alone; the others are stopped once the new
// ones have had their first attempt.
func (g *Gateway) Apply(config *Config) {
	g.applying.Lock()
	defer g.applying.Unlock()
	g.redact.set(config.Secrets)
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return
	}
	before := g.upstreams
	var now, fresh []*upstream
	for _, s := range config.Servers {
		if i := slices.IndexFunc(before, func(u *upstream) bool { return u.config.equal(s) }); i >= 0 {
			now = append(now, before[i])
			continue
		}
		u := newUpstream(g, s)
		now, fresh = append(now, u), append(fresh, u)
	}
	g.warnings = config.Warnings
	first := len(before) == 0
	if first {
		g.upstreams = now
	}
	g.mu.Unlock()
	for _, w := range config.Warnings {
		g.opts.Logger.Warn("configuration", "warning", w)
	}
	if first {
		g.publish() // nothing yet, but who would know of it
		go g.settle(fresh)
		return
	}
	// The old ones serve until the new ones are there, or are known not to be.
	wait(fresh, slowest)
	g.mu.Lock()
	g.upstreams = now
	g.mu.Unlock()
	g.publish()
	var stopping sync.WaitGroup
	for _, u := range before {
		if !slices.Contains(now, u) {
			stopping.Go(u.retire)
		}
	}
	stopping.Wait()
}

func (g *Gateway) settle(fresh []*upstream) {
	wait(fresh, slowest)
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.settled:
	default:
		close(g.settled)
	}
}

// wait returns when each upstream has had its first attempt, or the limit has
// passed.
func wait(upstreams []*upstream, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for _, u := range upstreams {
		select {
		case <-u.first:
		case <-timer.C:
			return
		}
	}
}

// retire ends an upstream once its requests in flight have ended: those have
// their time limits.
func (u *upstream) retire() {
	timer := time.NewTimer(u.config.Timeout)
	defer timer.Stop()
	for late := false; !late && u.status().InFlight > 0; {
		select {
		case <-u.idle:
		case <-timer.C:
			late = true
		}
	}
	u.end()
	u.log.Info("not mounted any more")
}

// Close ends all servers and waits until nothing of them is left.
func (g *Gateway) Close() {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return
	}
	g.closed = true
	g.mu.Unlock()
	g.applying.Lock()
	defer g.applying.Unlock()
	var stopping sync.WaitGroup
	for _, u := range g.all() {
		stopping.Go(u.end)
	}
	stopping.Wait()
	g.settle(nil)
	g.spawner.close()
	close(g.announcements)
	g.announcing.Wait()
}

func (g *Gateway) all() []*upstream {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.upstreams)
}

// announce passes something on to all clients, without waiting for them.
func (g *Gateway) announce(method string, params []byte) {
	select {
	case g.announcements <- announcement{method, slices.Clone(params)}:
	default: // clients are slower than servers talk
	}
}

// missing explains what is not in the catalogue.
func (g *Gateway) missing(kind catalog.Kind, name string) *catalog.Error {
	for _, u := range g.all() {
		if err := u.missing(kind, name); err != nil {
			return err
		}
	}
	return nil
}

// subscription is a resource that clients want to hear of.
type subscription struct {
	upstream *upstream
	clients  int
}

// subscribe counts the clients that want to hear of a resource, and reports
// whether the server has to be told.
func (g *Gateway) subscribe(u *upstream, uri string, more int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.subscriptions[uri]
	if s == nil {
		s = &subscription{upstream: u}
		g.subscriptions[uri] = s
	}
	if s.clients += more; s.clients <= 0 {
		delete(g.subscriptions, uri)
	}
	return more > 0 && s.clients == 1 || s.clients <= 0
}

// resubscribe tells a server that was reconnected what clients want to hear of.
func (g *Gateway) resubscribe(u *upstream, c *connection) {
	g.mu.Lock()
	var uris []string
	for uri, s := range g.subscriptions {
		if s.upstream.name == u.name {
			uris = append(uris, uri)
		}
	}
	g.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), u.config.Timeout)
	defer cancel()
	for _, uri := range uris {
		if _, err := c.request(ctx, "resources/subscribe", map[string]any{"uri": uri}); err != nil {
			u.log.Warn("subscribing again", "err", err)
		}
	}
}
