package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/catalog"
)

func newCall() *cobra.Command {
	var f callFlags
	cmd := &cobra.Command{
		Use:   "call TOOL",
		Short: "Call a tool",
		Long: `Call any tool and print its structured result as JSON. "webodar tools" lists the
tools; "webodar tools --json" has the arguments of each.

An argument is one of:
  --arg name=text     a string; strings that spell a number or a boolean do for those
  --arg name:=JSON    any JSON value
  --arg name=@FILE    the text of a file, - for standard input (name:="@x" for a plain @x)
With --json, a JSON object from a file or standard input holds the arguments;
those of --arg are put into it.`,
		Example: `  webodar call encodePlantUML --arg plantumlCode=@diagram.puml
  webodar call encodePlantUML --arg plantumlCode='Bob -> Alice' --text
  echo '{"plantumlCode":"Bob -> Alice"}' | webodar call encodePlantUML --json -`,
		Args:              exactly(1),
		ValidArgsFunction: completeTools,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf(cmd, "raw", "text"); err != nil {
				return err
			}
			return call(cmd, args[0], &f)
		},
	}
	fontDirFlag(cmd.Flags())
	outputDirFlag(cmd.Flags())
	cmd.Flags().StringArrayVar(&f.args, "arg", nil, "one `ARGUMENT`: name=text, name:=JSON or name=@FILE (repeatable)")
	cmd.Flags().StringVar(&f.json, "json", "", "read the arguments, a JSON object, from this `FILE` (- for standard input)")
	cmd.Flags().BoolVar(&f.raw, "raw", false, "print the JSON on one line")
	cmd.Flags().BoolVar(&f.text, "text", false, "print the text that a model would read")
	for _, name := range []string{"arg", "json"} {
		cmd.Flags().Lookup(name).Annotations = map[string][]string{notSetting: {}}
	}
	return cmd
}

type callFlags struct {
	args      []string
	json      string
	raw, text bool
}

func call(cmd *cobra.Command, tool string, f *callFlags) error {
	cat, err := newCatalog(cmd, nil, nil)
	if err != nil {
		return err
	}
	if _, err := cat.Tool(tool); err != nil { // before anything is read
		return withDetails(err)
	}
	args, err := f.arguments(cmd)
	if err != nil {
		return err
	}
	res, err := cat.Call(asCLI(cmd.Context()), tool, args)
	if err != nil {
		return withDetails(err)
	}
	warn(cmd.ErrOrStderr(), res.Warnings)
	switch out := cmd.OutOrStdout(); {
	case f.text && res.Text != "":
		return writeLine(out, res.Text)
	case f.raw:
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		return enc.Encode(res.Structured)
	default:
		return writeJSON(out, res.Structured)
	}
}

// callInto calls a tool of this program's own and stores its structured result
// in out.
func callInto(cmd *cobra.Command, tool string, args, out any) error {
	cat, err := newCatalog(cmd, nil, nil)
	if err != nil {
		return err
	}
	in, err := json.Marshal(args)
	if err != nil {
		return err
	}
	res, err := cat.Call(asCLI(cmd.Context()), tool, in)
	if err != nil {
		return err
	}
	structured, err := json.Marshal(res.Structured)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(structured, out); err != nil {
		return fmt.Errorf("result of %s: %w", tool, err)
	}
	return nil
}

func asCLI(ctx context.Context) context.Context {
	return catalog.WithRequest(ctx, &catalog.Request{ID: "cli", Surface: catalog.CLI})
}

func completeTools(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	cat, err := newCatalog(cmd, nil, nil)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, t := range cat.Tools() {
		names = append(names, cobra.CompletionWithDesc(t.Name, t.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeWith offers fixed values for a flag.
func completeWith(cmd *cobra.Command, flag string, values []string) {
	complete := cobra.FixedCompletions(slices.Clone(values), cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag is not defined: a mistake in this program
	}
}
