package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// applySettings fills in the flags that the command line leaves open: first
// from WEBODAR_… variables, then from the configuration file.
func applySettings(cmd *cobra.Command, _ []string) error {
	flags := cmd.Flags()
	if err := fromEnvironment(flags); err != nil {
		return usageError{err}
	}
	path, err := flags.GetString("config")
	if err != nil || path == "" {
		return err
	}
	if err := fromFile(cmd.Root(), flags, path); err != nil {
		return usageError{fmt.Errorf("%s: %w", path, err)}
	}
	return nil
}

func fromEnvironment(flags *pflag.FlagSet) error {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "WEBODAR_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value := os.Getenv(name)
		if value == "" || f.Changed || !isSetting(f) {
			return
		}
		if err := set(flags, f, value); err != nil {
			errs = append(errs, fmt.Errorf("environment variable %s: %w", name, err))
		}
	})
	return errors.Join(errs...)
}

// notSetting marks a flag whose value belongs to one invocation only.
const notSetting = "webodar_not_a_setting"

func isSetting(f *pflag.Flag) bool {
	return f.Name != "help" && f.Name != "version" && f.Annotations[notSetting] == nil
}

// set is flags.Set with an error that does not speak of Go.
func set(flags *pflag.FlagSet, f *pflag.Flag, value string) error {
	if err := flags.Set(f.Name, value); err != nil {
		return fmt.Errorf("%q is no %s", value, kindOf(f))
	}
	return nil
}

func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "boolean: want true or false"
	case "duration":
		return "duration: want one such as 30s or 5m"
	case "int", "int64":
		return "whole number"
	case "float64":
		return "number"
	}
	return "value for --" + f.Name
}

// groups are the keys of the file that hold further keys, each standing for a
// flag.
var groups = map[string]map[string]string{
	"limits": {
		"connections": "connections", "sessions": "sessions", "callsInFlight": "calls-in-flight",
		"ratePerSecond": "rate-per-second", "messageBytes": "message-bytes",
	},
	"alert":    {"errorsPerMinute": "alert-errors-per-minute", "command": "alert-command", "url": "alert-url"},
	"timeouts": {"request": "request-timeout", "tool": "tool-timeout", "session": "session-timeout"},
}

// serverKeys are the keys that the gateway reads by itself, and what stands
// beside them in other programs' files.
var serverKeys = map[string]bool{"mcpServers": true, "servers": true, "inputs": true}

// fromFile reads a JSON or YAML file whose keys are the names of flags, in the
// form of flags (log-level) or of JSON (logLevel), and the groups.
func fromFile(root *cobra.Command, flags *pflag.FlagSet, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return errors.Unwrap(err)
	}
	// JSON is YAML, but a mistake in it deserves an error in JSON's own terms.
	if filepath.Ext(path) == ".json" {
		if bad := wirejson.Check(data, catalog.MaxDepth); bad != nil {
			return bad
		}
	}
	var file map[string]any
	if err := yaml.Unmarshal(data, &file); err != nil {
		return fmt.Errorf("%s", yaml.FormatError(err, false, true))
	}
	known := knownFlags(root)
	for _, key := range slices.Sorted(maps.Keys(file)) {
		switch nested, isGroup := groups[key]; {
		case key == "$schema", serverKeys[key]:
		case isGroup:
			values, ok := file[key].(map[string]any)
			if !ok {
				return atLine(data, key, fmt.Errorf("key %q: want an object", key))
			}
			for _, name := range slices.Sorted(maps.Keys(values)) {
				if err := setFromFile(flags, known, nested[name], key+"."+name, values[name]); err != nil {
					return atLine(data, key+"."+name, err)
				}
			}
		default:
			if err := setFromFile(flags, known, kebab(key), key, file[key]); err != nil {
				return atLine(data, key, err)
			}
		}
	}
	return nil
}

// atLine says where in the file the key of an error stands, if that can be told.
func atLine(data []byte, key string, err error) error {
	path, bad := yaml.PathString("$." + key)
	if bad != nil {
		return err
	}
	node, bad := path.ReadNode(bytes.NewReader(data))
	if bad != nil || node.GetToken() == nil {
		return err
	}
	return fmt.Errorf("line %d: %w", node.GetToken().Position.Line, err)
}

func setFromFile(flags *pflag.FlagSet, known map[string]bool, flag, key string, value any) error {
	if !known[flag] {
		return fmt.Errorf("key %q is not known", key)
	}
	f := flags.Lookup(flag)
	if f == nil || f.Changed || !isSetting(f) { // of another command, or set already
		return nil
	}
	if value == nil { // a key without a value leaves the default
		return nil
	}
	values, isList := value.([]any)
	if !isList {
		values = []any{value}
	} else if _, many := f.Value.(pflag.SliceValue); !many {
		return fmt.Errorf("key %q: want one value, not a list", key)
	}
	for _, v := range values {
		switch v.(type) {
		case nil, map[string]any, []any:
			return fmt.Errorf("key %q: want a plain value", key)
		}
		if err := set(flags, f, fmt.Sprint(v)); err != nil {
			return fmt.Errorf("key %q: %w", key, err)
		}
	}
	return nil
}

// knownFlags are the names of all commands' flags: a file serves all commands.
func knownFlags(cmd *cobra.Command) map[string]bool {
	known := map[string]bool{}
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(cmd)
	return known
}

// kebab turns logLevel into log-level.
func kebab(s string) string {
	var b strings.Builder
	for _, r := range s {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
