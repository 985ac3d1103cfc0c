package gateway

import (
	"time"
)

// Status is how one server stands, as /readyz shows it.
type Status struct {
	Name      string `json:"name"`
	Target    string `json:"target"` // command, or URL without its query
	State     State  `json:"state"`
	SinceMs   int64  `json:"sinceMs"` // how long it has been in that state
	Why       string `json:"why,omitempty"`
	NextTryMs int64  `json:"nextTryMs,omitempty"`
	Protocol  string `json:"protocol,omitempty"`
	Tools     int    `json:"tools"`
	Resources int    `json:"resources"`
	Prompts   int    `json:"prompts"`
	Breaker   string `json:"breaker"` // off, closed, half-open or open
	InFlight  int    `json:"inFlight"`
	Starts    int    `json:"starts,omitempty"` // of the process
}

// Well reports whether nothing is wrong with the server.
func (s *Status) Well() bool { return s.State == Up && (s.Breaker == "closed" || s.Breaker == "off") }

// Status returns how the servers stand, in the file's order.
func (g *Gateway) Status() []Status {
	var list []Status
	for _, u := range g.all() {
		list = append(list, u.status())
	}
	return list
}

// Clashes says, in words, which names were given to something else than the
// first that wanted them.
func (g *Gateway) Clashes() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.clashes
}

func (u *upstream) status() Status {
	u.mu.Lock()
	defer u.mu.Unlock()
	s := Status{
		Name: u.name, Target: u.gateway.redact.clean(u.config.Target()), State: u.state, SinceMs: time.Since(u.since).Milliseconds(),
		Why: u.why, Breaker: u.breaker.state(), InFlight: u.inFlight, Starts: u.restarts,
	}
	if u.state == Down {
		s.NextTryMs = max(time.Until(u.next), 0).Milliseconds()
	}
	if u.conn != nil {
		s.Protocol = u.conn.version
	}
	if u.features != nil && u.offered {
		for _, t := range u.features.tools {
			if u.config.Tools.allows(t.name) {
				s.Tools++
			}
		}
		s.Resources, s.Prompts = len(u.features.resources), len(u.features.prompts)
	}
	if s.Why == "" && s.Breaker != "closed" && s.Breaker != "off" {
		s.Why = "it failed too often; calls are held back"
	}
	return s
}
