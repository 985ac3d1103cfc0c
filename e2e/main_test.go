package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/webodar/webodar/internal/gateway/scripted"
)

// binary is the program under test.
var binary string

func TestMain(m *testing.M) {
	scripted.MainIfAsked()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	// A developer's own settings must not reach the program under test.
	os.Unsetenv("WEBODAR_TOKEN")
	if binary = os.Getenv("WEBODAR_BIN"); binary != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "webodar-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "webodar")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := exec.Command("go", "build", "-trimpath", "-o", binary, "./cmd/webodar")
	build.Dir = ".."
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "e2e: building the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}
