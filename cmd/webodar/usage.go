package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// atMost and exactly check the number of arguments. They differ from cobra's
// own in that a mistake is a usageError and says what the command takes.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return usageError{fmt.Errorf("%q: unexpected argument; usage: %s", args[n], cmd.UseLine())}
	}
}

func exactly(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return usageError{errors.New("an argument is missing; usage: " + cmd.UseLine())}
		}
		return atMost(n)(cmd, args)
	}
}

// oneOf refuses flags that contradict each other.
func oneOf(cmd *cobra.Command, flags ...string) error {
	var set []string
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			set = append(set, "--"+name)
		}
	}
	if len(set) > 1 {
		return usageError{fmt.Errorf("%s exclude each other: give one", strings.Join(set, " and "))}
	}
	return nil
}
