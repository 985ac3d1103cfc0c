package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/webodar/webodar/"

// forbidden are the imports that would undo the architecture: importer, and
// prefixes of what it must not depend on, directly or not.
var forbidden = map[string][]string{
	"encoder":                  {module},
	"internal/wirejson":        {module},
	"internal/jsengine":        {module},
	"internal/dom":             {module},
	"internal/render":          {module},
	"internal/svgout":          {module + "internal/catalog", module + "internal/render", module + "internal/tools", module + "internal/jsengine", module + "internal/dom", "net/http"},
	"internal/svgout/paint":    {module + "internal/catalog", module + "internal/render", module + "internal/tools", module + "internal/jsengine", module + "internal/dom", "net/http"},
	"internal/markdown":        {module},
	"internal/artifact":        {module, "net/http"},
	"internal/batch":           {module + "mcpserver", module + "httpcompat", module + "internal/tools", module + "internal/render", "github.com/spf13/", "net/http"},
	"internal/catalog":         {"github.com/modelcontextprotocol/", "net/http"},
	"internal/httpbody":        {"github.com/modelcontextprotocol/"},
	"internal/obs":             {"github.com/modelcontextprotocol/"},
	"internal/diagram/mermaid": {"github.com/modelcontextprotocol/", "net/http", module + "internal/render", module + "internal/catalog", module + "engines"},
	"uat":                      {"charm.land/", "github.com/charmbracelet/", "modernc.org/", "github.com/modelcontextprotocol/", "net/http", module + "cmd", module + "internal/catalog"},
	"mcpserver":                {"modernc.org/", module + "internal/gateway", module + "httpcompat", module + "encoder", module + "internal/tools", module + "internal/httpd", module + "cmd"},
	"httpcompat":               {"modernc.org/", module + "internal/gateway", module + "mcpserver", module + "encoder", module + "internal/tools", module + "internal/httpd", module + "cmd", "github.com/modelcontextprotocol/"},
	"internal/gateway":         {module + "mcpserver", module + "httpcompat", module + "encoder", module + "internal/tools", module + "internal/render", module + "internal/httpd", module + "internal/obs"},
	"internal/httpd":           {module + "mcpserver", module + "httpcompat", module + "internal/tools", "github.com/modelcontextprotocol/"},
	"internal/tools":           {module + "mcpserver", module + "httpcompat", module + "internal/httpd", module + "engines", "github.com/modelcontextprotocol/", "net/http"},
}

func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Deps", "../../...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var pkg struct {
			ImportPath string
			Deps       []string
		}
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(pkg.ImportPath, module)
		seen[name] = true
		for _, prefix := range forbidden[name] {
			if i := slices.IndexFunc(pkg.Deps, func(d string) bool { return strings.HasPrefix(d, prefix) }); i >= 0 {
				t.Errorf("%s depends on %s", name, pkg.Deps[i])
			}
		}
		if slices.ContainsFunc(pkg.Deps, func(d string) bool { return strings.HasPrefix(d, module+"cmd/") }) {
			t.Errorf("%s depends on a command", name)
		}
	}
	for name := range forbidden {
		if !seen[name] {
			t.Errorf("%s: no such package; the rule is out of date", name)
		}
	}
}
