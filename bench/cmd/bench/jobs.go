package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webodar/webodar/bench/internal/measure"
	"github.com/webodar/webodar/bench/internal/peer"
	"github.com/webodar/webodar/bench/internal/report"
)

// Peers of the encoder.
const (
	flateEncoder = "compress/flate"
	nodeEncoder  = "plantuml-encoder"
)

// Clients and calls in flight.
const (
	clients = 8
	window  = 64
)

// job is one thing that is measured: webodar first, then its peers.
type job struct {
	name, title, unit string
	figure            func(measure.Sample) float64
	peers             []string
	targets           map[string][]report.Target // by peer; webodar's are about its figure itself
	contest           func(*contest)
	plan              func(measure.Plan) measure.Plan // nil: as planned
}

var (
	perSecond = measure.Sample.Rate
	micros    = measure.Sample.Micros
	millis    = func(s measure.Sample) float64 { return s.Micros() / 1000 }
)

// jobs are all jobs, in the order of the report.
var jobs = []job{
	{
		name: "encode", title: "encode 1 KB", unit: "µs", figure: micros, contest: encodeDiagram,
		peers: []string{nodeEncoder, flateEncoder},
		targets: map[string][]report.Target{
			nodeEncoder: {{Bound: 1.5, AtMost: true}, {Bound: 1, AtMost: true, Aim: true}},
		},
	},
	{
		name: "encode-corpus", title: "encode the corpus", unit: "µs", figure: micros, contest: encodeCorpus,
		peers: []string{nodeEncoder, flateEncoder},
		targets: map[string][]report.Target{
			nodeEncoder: {{Bound: 1.5, AtMost: true}, {Bound: 1, AtMost: true, Aim: true}},
		},
	},
	{
		name: "rest", title: "REST, 8 clients", unit: "calls/s", figure: perSecond, contest: rest,
		peers:   []string{peer.Bare},
		targets: map[string][]report.Target{peer.Bare: {{Bound: .8}}},
	},
	{
		name: "mcp", title: "MCP over HTTP, 8 sessions", unit: "calls/s", figure: perSecond, contest: sessions,
		peers: []string{peer.GoSDK, peer.NodeSDK, peer.MCPGo},
		targets: map[string][]report.Target{
			peer.GoSDK: {{Bound: 2}}, peer.NodeSDK: {{Bound: 1}}, peer.MCPGo: {{Bound: .5, Aim: true}},
		},
	},
	{
		name: "mcp-sessionless", title: "MCP over HTTP without sessions, 8 clients", unit: "calls/s", figure: perSecond, contest: sessionless,
		peers: []string{peer.GoSDK, peer.MCPGo},
	},
	{
		name: "stdio", title: "MCP over stdio, one by one", unit: "calls/s", figure: perSecond, contest: stdioSerial,
		peers:   []string{peer.GoSDK, peer.MCPGo, peer.NodeSDK},
		targets: map[string][]report.Target{peer.GoSDK: {{Bound: 1.5}}},
	},
	{
		name: "stdio-64", title: "MCP over stdio, 64 in flight", unit: "calls/s", figure: perSecond, contest: stdioInFlight,
		peers:   []string{peer.GoSDK, peer.MCPGo, peer.NodeSDK},
		targets: map[string][]report.Target{peer.GoSDK: {{Bound: 1.5}}},
	},
	{
		name: "start", title: "start to initialize answered", unit: "ms", figure: millis, contest: starts,
		peers:   []string{peer.GoSDK, peer.MCPGo, peer.NodeSDK},
		targets: map[string][]report.Target{peer.Webodar: {{Bound: 30, AtMost: true, Unit: "ms"}}},
		plan:    func(measure.Plan) measure.Plan { return measure.Plan{Rounds: 30, Turn: 1, WarmUp: 1} },
	},
}

func jobNames() []string {
	names := make([]string, len(jobs))
	for i, j := range jobs {
		names[i] = j.name
	}
	return names
}

// selectJobs returns the jobs that the list names; all for an empty one.
func selectJobs(list string) ([]job, error) {
	if list == "" {
		return jobs, nil
	}
	var selected []job
	for name := range strings.SplitSeq(list, ",") {
		i := slices.Index(jobNames(), name)
		if i < 0 {
			return nil, fmt.Errorf("-only: there is no job %q; there are %s", name, strings.Join(jobNames(), ", "))
		}
		selected = append(selected, jobs[i])
	}
	return selected, nil
}
