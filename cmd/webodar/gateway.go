package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/gateway"
	"github.com/webodar/webodar/internal/obs"
)

func readServers(path string) (*gateway.Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	config, err := gateway.Parse(data, &gateway.ParseOptions{Env: os.LookupEnv})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return config, nil
}

// mount starts the servers that the configuration file names, if there is one,
// and returns what ends them.
func (s *serving) mount(cmd *cobra.Command) (unmount func(), err error) {
	path, err := cmd.Flags().GetString("config")
	if err != nil || path == "" {
		return func() {}, err
	}
	data, _ := os.ReadFile(path) // it is read once more below, with its errors
	config, err := readServers(path)
	if err != nil {
		return nil, usageError{err}
	}
	s.gateway = gateway.New(s.catalog, &gateway.Options{
		Version: buildVersion(), Logger: s.logger, Registerer: s.recorder.Registry(),
		Announce: func(method string, params json.RawMessage) { s.mcp.Announce(method, params) },
	})
	s.health.Watch(s.parts)
	s.reloader = &reloader{serving: s, cmd: cmd, path: path, current: data}
	s.gateway.Apply(config)
	return s.gateway.Close, nil
}

// parts says which mounted servers do not work.
func (s *serving) parts() obs.Parts {
	all := s.gateway.Status()
	p := obs.Parts{Details: map[string]any{"upstreams": all}}
	if clashes := s.gateway.Clashes(); len(clashes) > 0 {
		p.Details["clashes"] = clashes
	}
	for _, u := range all {
		if !u.Well() {
			p.Degraded = append(p.Degraded, u.Name)
		}
	}
	return p
}

func (s *serving) setLevel(level string) {
	if s.gateway != nil {
		s.gateway.SetLevel(level)
	}
}
