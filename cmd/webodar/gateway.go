package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/gateway"
)

// serversOf reads the servers to mount out of the configuration file; nil
// without a file.
func serversOf(cmd *cobra.Command) (*gateway.Config, error) {
	path, err := cmd.Flags().GetString("config")
	if err != nil || path == "" {
		return nil, err
	}
	config, err := readServers(path)
	if err != nil {
		return nil, usageError{err}
	}
	return config, nil
}

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

// mount starts the servers of the configuration and returns what ends them.
func (s *serving) mount(config *gateway.Config) (unmount func()) {
	s.gateway = gateway.New(s.catalog, &gateway.Options{
		Version: buildVersion(), Logger: s.logger, Registerer: s.recorder.Registry(),
		Announce: func(method string, params json.RawMessage) { s.mcp.Announce(method, params) },
	})
	s.gateway.Apply(config)
	return s.gateway.Close
}

func (s *serving) setLevel(level string) {
	if s.gateway != nil {
		s.gateway.SetLevel(level)
	}
}
