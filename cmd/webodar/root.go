package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/tools"
)

// version is set by the release build; other builds take it from the module.
var version = ""

func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "dev"
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "webodar",
		Short: "Diagrams for AI agents: MCP server, REST API and command line in one binary",
		Long: `webodar gives AI agents diagrams. It is an MCP server (stdio and streamable
HTTP), a REST API and a command line over the same tools.

Put it into your MCP client:   webodar config claude-desktop
Try a tool from the shell:     webodar encode diagram.puml
Serve HTTP on this machine:    webodar serve --http 127.0.0.1:8080

Every flag can be set by an environment variable (--log-level is
WEBODAR_LOG_LEVEL) or in the file that --config names.

Exit codes: 0 success; 1 a failure, explained on stderr; 2 wrong usage.`,
		Version:           buildVersion(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: applySettings,
	}
	root.SetVersionTemplate("webodar {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	flags := root.PersistentFlags()
	flags.String("config", "", "read settings from this `FILE` (.json or .yaml)")
	flags.String("plantuml-url", "", "PlantUML `URL` that links point at (default https://www.plantuml.com/plantuml)")
	root.AddCommand(newServe(), newEncode(), newDecode(), newRender(), newCheck(), newWatch(), newTools(), newCall(), newConfig(), newDoctor(), newGateway(), newMan(), newLicenses(), newWorker())
	return root
}

// newCatalog makes the catalogue that all commands share. drawer nil means that
// drawings are done in this process.
func newCatalog(cmd *cobra.Command, opts *catalog.Options, drawer tools.Drawer) (*catalog.Catalog, error) {
	url, err := cmd.Flags().GetString("plantuml-url")
	if err != nil {
		return nil, err
	}
	if drawer == nil {
		dirs, err := checkedFontDirs(cmd)
		if err != nil {
			return nil, err
		}
		drawer = localDrawer(dirs)
	}
	outputs, families, err := outputsOf(cmd)
	if err != nil {
		return nil, err
	}
	builtin, err := tools.All(&tools.Options{PlantUMLURL: url, Drawer: drawer, Outputs: outputs})
	if err != nil {
		return nil, usageError{fmt.Errorf("--plantuml-url: %w", err)}
	}
	o := catalog.Options{}
	if opts != nil {
		o = *opts
	}
	o.Tools, o.Resources, o.Families, o.Prompts = builtin, tools.Resources(), families, tools.Prompts()
	return catalog.New(&o)
}

// usageError is a mistake in the command line or the configuration: exit code 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// exitCode prints what cmd failed with for people, the hint on a line of its
// own, and returns the exit code for it.
func exitCode(w io.Writer, cmd *cobra.Command, err error) int {
	if err == nil {
		return 0
	}
	var coded *catalog.Error
	switch {
	case errors.As(err, &coded) && coded.Code != "" && coded.Type != catalog.InternalError:
		fmt.Fprintf(w, "webodar: %s: %s\n", coded.Code, coded.Message)
		if coded.Hint != "" {
			fmt.Fprintf(w, "hint: %s\n", coded.Hint)
		}
	case errors.As(err, &coded) && coded.Cause != nil:
		fmt.Fprintf(w, "webodar: %v\n", coded.Cause)
	default:
		fmt.Fprintf(w, "webodar: %v\n", err)
	}
	var usage usageError
	if errors.As(err, &usage) || strings.HasPrefix(err.Error(), "unknown command") {
		fmt.Fprintf(w, "hint: %s --help shows the usage\n", cmd.CommandPath())
		return 2
	}
	return 1
}
