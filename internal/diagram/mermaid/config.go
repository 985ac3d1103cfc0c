package mermaid

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Config is a caller's configuration that has been checked.
type Config struct {
	// Mermaid is what goes to mermaid: a JSON object, or nothing.
	Mermaid json.RawMessage `json:"mermaid,omitempty"`
	// Direction is of flowcharts whose header names none. Ours, by
	// flowchart.direction.
	Direction string `json:"direction,omitempty"`
	// Today is the date at which gantt draws its marker. Ours, by gantt.today.
	Today string `json:"today,omitempty"`
}

var directions = []string{"TB", "TD", "BT", "LR", "RL"}

// ParseConfig checks a caller's configuration: a JSON object, or a JSON string that
// holds one. Empty, null and a blank string are none. Warnings say what was left out.
func ParseConfig(raw json.RawMessage) (c Config, warnings []string, problem *Problem) {
	if len(raw) == 0 || string(raw) == "null" {
		return c, nil, nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if strings.TrimSpace(text) == "" {
			return c, nil, nil
		}
		raw = json.RawMessage(text)
	}
	var config map[string]any
	if err := json.Unmarshal(raw, &config); err != nil || config == nil {
		return c, nil, notJSON(raw, err)
	}
	for _, r := range refusals(config) {
		if !r.mild {
			return c, nil, badConfig(r.name(), fmt.Sprintf("%s may not be set: %s", r.name(), r.Reason), "Remove it from config_json.")
		}
		remove(config, r.Path)
		warnings = append(warnings, fmt.Sprintf("config_json: %s was ignored: %s", r.name(), r.Reason))
	}
	if problem = c.ours(config); problem != nil {
		return Config{}, nil, problem
	}
	if problem = checkNames(config); problem != nil {
		return Config{}, nil, problem
	}
	if len(config) > 0 {
		c.Mermaid, _ = json.Marshal(config) // it was JSON a moment ago
	}
	return c, warnings, nil
}

// ours takes the settings that mermaid does not know out of config.
func (c *Config) ours(config map[string]any) *Problem {
	if section, ok := config["flowchart"].(map[string]any); ok && section["direction"] != nil {
		c.Direction, _ = section["direction"].(string)
		if !slices.Contains(directions, c.Direction) {
			return badConfig("flowchart.direction", fmt.Sprintf("flowchart.direction %v is none of %s", section["direction"], strings.Join(directions, ", ")), "")
		}
		delete(section, "direction")
	}
	if section, ok := config["gantt"].(map[string]any); ok && section["today"] != nil {
		c.Today, _ = section["today"].(string)
		if _, err := time.Parse(time.DateOnly, c.Today); err != nil {
			return badConfig("gantt.today", fmt.Sprintf("gantt.today %v is no date", section["today"]), `Write it as YYYY-MM-DD, such as "2026-01-31".`)
		}
		delete(section, "today")
	}
	return nil
}

var looks = []string{"classic", "handDrawn", "neo"}

// checkNames checks settings that name one of a few things; mermaid takes what it
// does not know for its default, without a word. Each may stand below a type too.
func checkNames(config map[string]any) *Problem {
	check := func(path string, section map[string]any) *Problem {
		for key, known := range map[string][]string{"theme": Themes, "look": looks} {
			v, ok := section[key]
			if s, _ := v.(string); ok && v != nil && !slices.Contains(known, s) {
				return badConfig(path+key, fmt.Sprintf("%s%s %v is none of %s", path, key, v, strings.Join(known, ", ")), "")
			}
		}
		return nil
	}
	if p := check("", config); p != nil {
		return p
	}
	for name, v := range config {
		if section, ok := v.(map[string]any); ok && name != "themeVariables" {
			if p := check(name+".", section); p != nil {
				return p
			}
		}
	}
	return nil
}

func badConfig(key, message, hint string) *Problem {
	return &Problem{Code: InvalidConfig, Field: "config_json", Key: key, Message: message, Hint: hint}
}

func notJSON(raw []byte, err error) *Problem {
	p := badConfig("", "config_json must be a JSON object", `Pass an object such as {"flowchart":{"curve":"linear"}}, or the same as a string.`)
	var bad *json.SyntaxError
	if errors.As(err, &bad) {
		before := raw[:min(int(bad.Offset), len(raw))]
		line := bytes.Count(before, []byte("\n")) + 1
		column := len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:])))
		p.Message = fmt.Sprintf("config_json is not valid JSON: line %d, column %d: %s", line, max(column, 1), bad.Error())
	}
	return p
}

// remove deletes the member at path.
func remove(config map[string]any, path []string) {
	for _, key := range path[:len(path)-1] {
		config, _ = config[key].(map[string]any)
	}
	delete(config, path[len(path)-1])
}

// settings are what mermaid is initialised with: the caller's configuration, and over
// it what is not up to callers.
func (r *Request) settings() (map[string]any, error) {
	all := map[string]any{}
	if len(r.Config.Mermaid) > 0 {
		if err := json.Unmarshal(r.Config.Mermaid, &all); err != nil {
			return nil, fmt.Errorf("mermaid: config: %w", err)
		}
	}
	section := func(name, key, value string) {
		s, _ := all[name].(map[string]any)
		if s == nil {
			s = map[string]any{}
			all[name] = s
		}
		s[key] = value
	}
	// Without these, labels of journey and timeline are HTML.
	section("journey", "textPlacement", "tspan")
	section("timeline", "textPlacement", "tspan")
	if r.Theme != "" {
		all["theme"] = r.Theme
	}
	if _, set := all["handDrawnSeed"]; !set || all["handDrawnSeed"] == 0.0 { // 0 is mermaid's word for random
		all["handDrawnSeed"] = 1
	}
	for key, value := range map[string]any{
		"startOnLoad": false, "htmlLabels": false, "securityLevel": "strict", "deterministicIds": true,
		"suppressErrorRendering": true, "maxTextSize": MaxCode, "logLevel": 5, "secure": secure(),
	} {
		all[key] = value
	}
	return all, nil
}

// secure lists what mermaid itself is to take from no directive, at any depth.
func secure() []string {
	keys := []string{"maxTextSize", "textPlacement"}
	for key := range refused {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
