package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/webodar/webodar/bench/internal/load"
	"github.com/webodar/webodar/bench/internal/measure"
	"github.com/webodar/webodar/bench/internal/peer"
	"github.com/webodar/webodar/bench/internal/sample"
	"github.com/webodar/webodar/encoder"
)

func encodeDiagram(c *contest) { c.encode([]string{sample.Diagram}) }

func encodeCorpus(c *contest) {
	if len(c.corpus) > 0 {
		c.encode(c.corpus)
	}
}

// encode adds the encoders.
func (c *contest) encode(texts []string) {
	var ours []string
	remark := func(codes []string) func() string {
		return func() string {
			same := 0
			for i := range codes {
				if codes[i] == ours[i] {
					same++
				}
			}
			text := fmt.Sprintf("%d characters for %d bytes", sample.Size(codes), sample.Size(texts))
			if len(texts) > 1 {
				text += fmt.Sprintf(" in %d files", len(texts))
			}
			return text + fmt.Sprintf(", %d of %d codes like webodar's", same, len(codes))
		}
	}
	c.add(peer.Webodar, func() (measure.Contestant, error) {
		codes, err := load.Codes(texts, encoder.Encode)
		ours = codes
		return measure.Contestant{Run: load.Encode(texts, encoder.Encode), Note: remark(codes)}, err
	})
	c.add(nodeEncoder, func() (measure.Contestant, error) {
		if c.set.NodeErr != nil {
			return measure.Contestant{}, c.set.NodeErr
		}
		n, err := load.NewNodeEncoder(c.ctx, c.nodeDir, texts)
		if err != nil {
			return measure.Contestant{}, err
		}
		c.closers = append(c.closers, n.Close)
		return measure.Contestant{Run: n.Run, Note: remark(n.Codes)}, nil
	})
	c.add(flateEncoder, func() (measure.Contestant, error) {
		encode := load.Flate()
		codes, err := load.Codes(texts, encode)
		return measure.Contestant{Run: load.Encode(texts, encode), Note: remark(codes)}, err
	})
}

func rest(c *contest) {
	for _, name := range []string{peer.Webodar, peer.Bare} {
		c.http(name, func(addr string) (*load.HTTP, error) { return load.NewREST(addr, clients), nil })
	}
}

func sessions(c *contest) {
	for _, name := range []string{peer.Webodar, peer.GoSDK, peer.NodeSDK, peer.MCPGo} {
		c.http(name, func(addr string) (*load.HTTP, error) { return load.NewSessions(c.ctx, addr, clients) })
	}
}

func sessionless(c *contest) {
	for _, name := range []string{peer.Webodar, peer.GoSDK, peer.MCPGo} {
		path := "/mcp"
		if name == peer.GoSDK {
			path = "/stateless"
		}
		c.http(name, func(addr string) (*load.HTTP, error) { return load.NewSessionless(addr, path, clients), nil })
	}
}

// http adds a server over HTTP and its clients.
func (c *contest) http(name string, open func(addr string) (*load.HTTP, error)) {
	c.add(name, func() (measure.Contestant, error) {
		p, err := c.set.HTTP(c.ctx, name)
		if err != nil {
			return measure.Contestant{}, err
		}
		h, err := open(p.Addr)
		if err != nil {
			return measure.Contestant{}, errors.Join(err, p.Stop())
		}
		c.closers = append(c.closers, func() error {
			h.Close()
			return nil
		})
		return c.measured(name, p, h.Run), nil
	})
}

type turn = func(context.Context, time.Duration) (measure.Sample, error)

func stdioSerial(c *contest) { c.stdio(func(s *load.Stdio) turn { return s.Serial }) }

func stdioInFlight(c *contest) { c.stdio(func(s *load.Stdio) turn { return s.InFlight(window) }) }

// stdio adds all servers over stdio.
func (c *contest) stdio(turns func(*load.Stdio) turn) {
	for _, name := range []string{peer.Webodar, peer.GoSDK, peer.MCPGo, peer.NodeSDK} {
		c.add(name, func() (measure.Contestant, error) {
			p, err := c.set.Stdio(c.ctx, name)
			if err != nil {
				return measure.Contestant{}, err
			}
			s, err := load.NewStdio(p)
			if err != nil {
				return measure.Contestant{}, errors.Join(err, p.Stop())
			}
			return c.measured(name, p, turns(s)), nil
		})
	}
}

func starts(c *contest) {
	for _, name := range []string{peer.Webodar, peer.GoSDK, peer.MCPGo, peer.NodeSDK} {
		c.add(name, func() (measure.Contestant, error) {
			return measure.Contestant{Run: func(ctx context.Context, _ time.Duration) (measure.Sample, error) {
				return load.Start(ctx, c.set, name)
			}}, nil
		})
	}
}
