package batch

import (
	"net/url"
	"path/filepath"
	"slices"
)

// The part of SARIF 2.1.0 (OASIS) that code scanning reads.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     Severity        `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region sarifRegion `json:"region"`
		} `json:"physicalLocation"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// meanings are the rules' descriptions.
var meanings = map[string]string{
	"PARSE_ERROR":         "The diagram has a mistake",
	"UNSUPPORTED_DIAGRAM": "The type of diagram is not known",
	"INVALID_INPUT":       "There is no diagram",
	"INPUT_TOO_LARGE":     "The diagram is too large",
	"RENDER_FAILED":       "The diagram could not be processed",
	"RENDER_TIMEOUT":      "The diagram took too long",
	"NOT_IN_BUILD":        "The diagram's language cannot be checked by this build",
	"FILE_UNREADABLE":     "The file cannot be read",
	"INVALID_UTF8":        "The file is not UTF-8",
	"UNKNOWN_KIND":        "It is not known what the file holds",
	"WARNING":             "Something about the diagram is not as its author may think",
}

func (r *Report) sarif(version string) *sarifLog {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "webodar", Version: version, InformationURI: "https://github.com/webodar/webodar", Rules: []sarifRule{}}
	for _, p := range r.Problems {
		rules := &run.Tool.Driver.Rules
		i := slices.IndexFunc(*rules, func(rule sarifRule) bool { return rule.ID == p.Code })
		if i < 0 {
			meaning := meanings[p.Code]
			if meaning == "" {
				meaning = p.Code
			}
			i = len(*rules)
			*rules = append(*rules, sarifRule{p.Code, sarifText{meaning}})
		}
		result := sarifResult{RuleID: p.Code, RuleIndex: i, Level: p.Severity, Message: sarifText{p.sentences()}, Locations: make([]sarifLocation, 1)}
		at := &result.Locations[0].Physical
		at.Artifact.URI = (&url.URL{Path: filepath.ToSlash(p.File)}).String()
		at.Region = sarifRegion{p.Line, p.Column}
		run.Results = append(run.Results, result)
	}
	return &sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}
