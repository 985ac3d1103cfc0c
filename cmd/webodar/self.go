package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// selfPath is the path under which MCP clients should start this program. A
// link on PATH is kept, such as the one that a package manager makes: it
// outlives updates, while the file that it points at does not.
func selfPath() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	onPath, err := exec.LookPath(filepath.Base(os.Args[0]))
	if err == nil && sameFile(onPath, exe) {
		return filepath.Abs(onPath)
	}
	return exe, nil
}

// isTemporary reports whether path is one of "go run", which is gone once the
// program ends.
func isTemporary(path string) bool {
	return strings.Contains(filepath.ToSlash(path), "/go-build")
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errors.Join(errA, errB) == nil && os.SameFile(infoA, infoB)
}
