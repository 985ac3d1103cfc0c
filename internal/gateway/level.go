package gateway

import (
	"context"
	"slices"
)

// levels are those of syslog (RFC 5424), the most talkative first.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// SetLevel asks the servers for log messages from a level on. The most
// talkative level that any client wants holds; the doors pass on to each client
// what it wants.
func (g *Gateway) SetLevel(level string) {
	before, _ := g.level.Load().(string)
	if at := slices.Index(levels, level); at < 0 || before != "" && slices.Index(levels, before) <= at {
		return
	}
	g.level.Store(level)
	for _, u := range g.all() {
		u.mu.Lock()
		c := u.conn
		u.mu.Unlock()
		if c != nil {
			u.tasks.Go(func() { c.setLevel(level) })
		}
	}
}

// setLevel asks one server; it is asked anew when it is connected anew.
func (c *connection) setLevel(level string) {
	//lint:ignore SA1019 deprecated by the protocol, and in use until it is removed
	if level == "" || c.caps.Logging == nil || c.version >= modern {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.up.config.Timeout)
	defer cancel()
	if _, err := c.request(ctx, "logging/setLevel", map[string]any{"level": level}); err != nil {
		c.up.log.Debug("setting the log level", "err", err)
	}
}
