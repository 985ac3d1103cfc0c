package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/gateway"
)

func newGateway() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gateway",
		Short: "Look at mounted MCP servers, and at the configuration that mounts them",
		Args:  cobra.NoArgs,
	}
	cmd.AddCommand(newGatewayStatus(), newGatewayCheck())
	return cmd
}

func newGatewayStatus() *cobra.Command {
	var (
		addr   string
		token  string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show how the mounted servers of a running webodar stand",
		Long: `Show how the mounted servers of a running webodar stand: what its /readyz says.
The exit code is 0 when all of them work, and 1 when one does not.`,
		Example: `  webodar gateway status
  webodar gateway status --http 127.0.0.1:9000 --json`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ready, err := askReady(cmd.Context(), addr, token)
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), ready)
			} else {
				err = ready.write(cmd.OutOrStdout())
			}
			if err == nil && ready.Status != "ready" {
				err = &catalog.Error{
					Code: strings.ToUpper(ready.Status), Message: "not everything works: " + strings.Join(ready.Degraded, ", "),
					Hint: "The log of the server has more, under the names of these servers.",
				}
			}
			return err
		},
	}
	cmd.Flags().StringVar(&addr, "http", "127.0.0.1:8080", "`ADDRESS` or URL of the running server")
	cmd.Flags().StringVar(&token, "token", "", "bearer `TOKEN` of the running server (better: WEBODAR_TOKEN)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// readiness is what /readyz answers.
type readiness struct {
	Status   string           `json:"status"`
	Degraded []string         `json:"degraded,omitempty"`
	Servers  []gateway.Status `json:"upstreams"`
	Clashes  []string         `json:"clashes,omitempty"`
}

func askReady(ctx context.Context, addr, token string) (*readiness, error) {
	u, err := parseEndpoint(addr)
	if err != nil {
		return nil, err
	}
	u.Path = "/readyz"
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	res, err := (&http.Client{Transport: bearer{token}}).Do(req)
	if err != nil {
		return nil, &catalog.Error{
			Code: "NO_SERVER", Message: fmt.Sprintf("no webodar answers at %s", u.Host),
			Hint: "Start one with webodar serve --http, or name the right address with --http.", Cause: err,
		}
	}
	defer res.Body.Close()
	r := &readiness{}
	if err := json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(r); err != nil || r.Status == "" {
		return nil, &catalog.Error{Code: "NO_SERVER", Message: fmt.Sprintf("what answers at %s is no webodar", u.Host)}
	}
	if r.Servers == nil && r.Degraded != nil {
		fmt.Fprintln(os.Stderr, "hint: give the server's token (WEBODAR_TOKEN) to see details")
	}
	return r, nil
}

func (r *readiness) write(w io.Writer) error {
	fmt.Fprintf(w, "status: %s\n", r.Status)
	if len(r.Servers) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SERVER\tSTATE\tFOR\tBREAKER\tTOOLS\tIN FLIGHT\tTARGET")
	for _, s := range r.Servers {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", s.Name, s.State,
			(time.Duration(s.SinceMs) * time.Millisecond).Round(time.Second), s.Breaker, s.Tools, s.InFlight, s.Target)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, s := range r.Servers {
		if s.Why == "" {
			continue
		}
		fmt.Fprintf(w, "%s: %s", s.Name, s.Why)
		if s.NextTryMs > 0 {
			fmt.Fprintf(w, "; tried again in %s", (time.Duration(s.NextTryMs) * time.Millisecond).Round(100*time.Millisecond))
		}
		fmt.Fprintln(w)
	}
	for _, c := range r.Clashes {
		fmt.Fprintln(w, "note:", c)
	}
	return nil
}

func newGatewayCheck() *cobra.Command {
	var connect bool
	cmd := &cobra.Command{
		Use:   "check CONFIG",
		Short: "Check a configuration file, and on request its servers",
		Long: `Check a configuration file: its syntax, its keys, and the environment variables
that it refers to. With --connect each server is started or called as well, and
asked what it has.`,
		Example: `  webodar gateway check webodar.json
  webodar gateway check webodar.json --connect`,
		Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error { return checkGateway(cmd, args[0], connect) },
	}
	cmd.Flags().BoolVar(&connect, "connect", false, "connect to each server and list what it has")
	return cmd
}

func checkGateway(cmd *cobra.Command, path string, connect bool) error {
	config, err := readServers(path)
	if err == nil {
		err = checkSettings(cmd, path)
	}
	if err != nil {
		return &catalog.Error{Code: "INVALID_CONFIG", Message: err.Error(), Cause: err}
	}
	out := cmd.OutOrStdout()
	warn(cmd.ErrOrStderr(), config.Warnings)
	if !connect {
		fmt.Fprintf(out, "%s: %d servers\n", path, len(config.Servers))
		for _, s := range config.Servers {
			fmt.Fprintf(out, "  %s: %s\n", s.Name, s.Target())
		}
		return nil
	}
	empty, err := catalog.New(nil)
	if err != nil {
		return err
	}
	g := gateway.New(empty, &gateway.Options{Version: buildVersion()})
	defer g.Close()
	g.Apply(config)
	empty.Settled(cmd.Context())
	ready := &readiness{Status: "ready", Servers: g.Status(), Clashes: g.Clashes()}
	var failed []string
	for _, s := range ready.Servers {
		if !s.Well() {
			failed = append(failed, s.Name)
		}
	}
	if len(failed) > 0 {
		ready.Status = "degraded"
	}
	if err := ready.write(out); err != nil {
		return err
	}
	for _, t := range empty.Tools() {
		fmt.Fprintf(out, "  %s\n", t.Name)
	}
	if len(failed) > 0 {
		return &catalog.Error{Code: "DEGRADED", Message: "servers that do not work: " + strings.Join(failed, ", ")}
	}
	return nil
}

// checkSettings checks what a file says beside its servers, for a command that
// serves.
func checkSettings(cmd *cobra.Command, path string) error {
	fresh := newServe()
	cmd.Root().PersistentFlags().VisitAll(fresh.Flags().AddFlag)
	if err := fromFile(cmd.Root(), fresh.Flags(), path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
