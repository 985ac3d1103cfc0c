package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/encoder"
	"github.com/webodar/webodar/engines"
	"github.com/webodar/webodar/internal/catalog"
)

// The diagram of the self-test, and the code that every PlantUML tool gives it.
const (
	knownSource = "@startuml\nBob -> Alice : hello\n@enduml"
	knownCode   = "SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80"
)

// startLimit bounds the start of this program as a server, on a slow and busy
// machine.
const startLimit = 10 * time.Second

// checkSelf says what is built in and whether it works.
func checkSelf(ctx context.Context, r *report, cat *catalog.Catalog) {
	r.begin("This program")
	r.add(passed, "version", fmt.Sprintf("webodar %s, %s, %s/%s", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH), "")
	r.add(passed, "tools", toolNames(cat), "")
	checkEngines(r)
	if err := testEncode(ctx, cat); err != nil {
		r.add(failed, "encode", err.Error(), "This build is broken: install webodar again.")
	} else {
		r.add(passed, "encode", "a known diagram gives the known code, and the code the diagram", "")
	}
	detail, err := testServe(ctx)
	if err != nil {
		r.add(failed, "serve", err.Error(), "Run webodar serve by hand and see what it says.")
		return
	}
	r.add(passed, "serve", detail, "")
}

func toolNames(cat *catalog.Catalog) string {
	var names []string
	for _, t := range cat.Tools() {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

func testEncode(ctx context.Context, cat *catalog.Catalog) error {
	args, err := json.Marshal(map[string]string{"plantumlCode": knownSource})
	if err != nil {
		return err
	}
	res, err := cat.Call(asCLI(ctx), "encodePlantUML", args)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(res.Text, "/"+knownCode) {
		return fmt.Errorf("a known diagram gives %s, not %s", res.Text, knownCode)
	}
	if text, err := encoder.Decode(knownCode); err != nil || text != knownSource {
		return fmt.Errorf("the known code gives %q, %v", text, err)
	}
	return nil
}

// testServe starts this program as an MCP client does.
func testServe(ctx context.Context) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	start := time.Now()
	var log bytes.Buffer
	server := exec.CommandContext(ctx, exe, "serve")
	server.Env, server.Stderr = withoutSettings(os.Environ()), &log
	n, err := listTools(ctx, &mcp.CommandTransport{Command: server, TerminateDuration: startLimit / 2})
	if err != nil {
		err = fmt.Errorf("starting webodar serve: %w", err)
		// The last line of the log is the likely reason.
		if text := strings.TrimSpace(log.String()); text != "" {
			err = fmt.Errorf("%w: %s", err, text[strings.LastIndex(text, "\n")+1:])
		}
		return "", err
	}
	return fmt.Sprintf("MCP over stdio: %s in %d ms", plural(n, "tool"), time.Since(start).Milliseconds()), nil
}

// withoutSettings removes the variables that change how the program behaves:
// WEBODAR_HTTP would make it serve HTTP.
func withoutSettings(env []string) []string {
	var kept []string
	for _, v := range env {
		if !strings.HasPrefix(strings.ToUpper(v), "WEBODAR_") {
			kept = append(kept, v)
		}
	}
	return kept
}

// listTools connects as an MCP client, asks for the tools and leaves.
func listTools(ctx context.Context, t mcp.Transport) (n int, err error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "webodar-doctor", Version: buildVersion()}, nil)
	session, err := client.Connect(ctx, t, nil)
	if err != nil {
		return 0, err
	}
	list, err := session.ListTools(ctx, nil)
	if err = errors.Join(err, session.Close()); err != nil {
		return 0, err
	}
	return len(list.Tools), nil
}

// checkEngines reports what can be drawn without a server.
func checkEngines(r *report) {
	bundle, err := engines.Mermaid()
	if err != nil {
		hint := ""
		if missing := (*engines.MissingError)(nil); errors.As(err, &missing) {
			hint = missing.Hint()
		}
		r.add(warned, "engines", err.Error(), hint)
		return
	}
	info := bundle.Info()
	r.add(passed, "engines", fmt.Sprintf("%s %s; PlantUML becomes links, which a PlantUML server draws", info.Engine, info.Version), "")
}
