package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/catalog"
)

// arguments builds the JSON object that the flags describe. Values are passed
// on as they are written: what the tool sees is what any other door would give
// it.
func (f *callFlags) arguments(cmd *cobra.Command) (json.RawMessage, error) {
	object := map[string]json.RawMessage{}
	if f.json != "" {
		data, err := readInput(cmd, f.json)
		if err != nil {
			return nil, err
		}
		if err := decodeObject(data, &object); err != nil {
			err.Message = "--json " + f.json + ": " + err.Message
			return nil, err
		}
		if len(f.args) == 0 {
			return data, nil
		}
	}
	given := map[string]bool{}
	for _, arg := range f.args {
		name, value, err := parseArgument(arg, func(path string) (string, error) {
			if path == stdinName && f.json == stdinName {
				return "", usageError{fmt.Errorf("--arg %s: standard input is taken by --json -", arg)}
			}
			data, err := readInput(cmd, path)
			if err != nil {
				return "", err
			}
			return checkText(path, data)
		})
		if err != nil {
			return nil, err
		}
		if given[name] {
			return nil, usageError{fmt.Errorf("--arg %s is given twice", name)}
		}
		given[name] = true
		object[name] = value
	}
	return json.Marshal(object)
}

// decodeObject decodes JSON as strictly as the other doors do.
func decodeObject(data []byte, object *map[string]json.RawMessage) *catalog.Error {
	if bad := catalog.CheckJSON(data); bad != nil {
		return bad
	}
	if err := json.Unmarshal(data, object); err != nil || *object == nil {
		return &catalog.Error{
			Type: catalog.InvalidRequestError, Code: "INVALID_REQUEST", Message: "the arguments must be a JSON object",
			Hint: `Write {"name": value, …} with the names of the tool's input schema.`,
		}
	}
	return nil
}

// parseArgument reads name=text, name:=JSON or name=@FILE.
func parseArgument(arg string, read func(path string) (string, error)) (string, json.RawMessage, error) {
	name, value, ok := strings.Cut(arg, "=")
	typed := strings.HasSuffix(name, ":")
	name = strings.TrimSuffix(name, ":")
	switch {
	case !ok || name == "":
		return "", nil, usageError{fmt.Errorf("--arg %q: want name=text, name:=JSON or name=@FILE", arg)}
	case !utf8.ValidString(arg):
		return "", nil, usageError{fmt.Errorf("--arg %s: the text is not UTF-8", name)}
	case typed:
		if bad := catalog.CheckJSON([]byte(value)); bad != nil {
			return "", nil, usageError{fmt.Errorf("--arg %s: %s; for a string write %s=%s", arg, bad.Message, name, value)}
		}
		return name, json.RawMessage(value), nil
	case strings.HasPrefix(value, "@"):
		text, err := read(value[1:])
		if err != nil {
			return "", nil, err
		}
		value = text
	}
	encoded, err := json.Marshal(value)
	return name, encoded, err
}

// withDetails adds the details of a failure to its message, a line each.
func withDetails(err error) error {
	var coded *catalog.Error
	if !errors.As(err, &coded) || len(coded.Details) == 0 {
		return err
	}
	e := *coded
	if _, ok := e.Details["fields"].([]catalog.Field); ok {
		e.Message = "the arguments do not fit the tool" // the message lists the fields, as the lines below do
	}
	for _, key := range slices.Sorted(maps.Keys(e.Details)) {
		for _, line := range detailLines(key, e.Details[key]) {
			e.Message += "\n  " + line
		}
	}
	return &e
}

// detailLines shows one detail, a line for each of a list.
func detailLines(key string, value any) []string {
	var lines []string
	switch v := value.(type) {
	case []string:
		if len(v) > 0 {
			lines = append(lines, key+": "+strings.Join(v, ", "))
		}
	case []catalog.Field:
		for _, f := range v {
			lines = append(lines, f.String())
		}
	case string:
		lines = append(lines, fmt.Sprintf("%s: %s", key, v))
	default:
		text, err := json.Marshal(v)
		if err != nil {
			text = []byte("(cannot be shown)")
		}
		lines = append(lines, fmt.Sprintf("%s: %s", key, text))
	}
	return lines
}
