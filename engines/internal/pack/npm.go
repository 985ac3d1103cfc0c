package pack

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// CheckLock checks that a lockfile pins every package by a hash, and names no
// host: which registry packages come from is the user's business.
func CheckLock(lockfile string) error {
	data, err := os.ReadFile(lockfile)
	if err != nil {
		return err
	}
	var lock struct {
		Packages map[string]struct {
			Version, Integrity, Resolved string
			Link                         bool
		}
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return fmt.Errorf("%s: %w", lockfile, err)
	}
	for name, p := range lock.Packages {
		switch {
		case name == "":
		case p.Resolved != "" || p.Link:
			return fmt.Errorf("%s: %s names a place (npm install with omit-lockfile-registry-resolved)", lockfile, name)
		case !strings.HasPrefix(p.Integrity, "sha512-"):
			return fmt.Errorf("%s: %s has no sha512", lockfile, name)
		}
	}
	return nil
}

// Version returns the installed version of a package, and an error unless it is
// the one that package.json in dir pins.
func Version(dir, name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", err
	}
	var want struct{ Dependencies map[string]string }
	if err := json.Unmarshal(data, &want); err != nil {
		return "", err
	}
	m, err := readManifest(filepath.Join(dir, "node_modules", filepath.FromSlash(name)))
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%s is not installed (npm ci)", name)
	}
	if err != nil {
		return "", err
	}
	if m.Version != want.Dependencies[name] {
		return "", fmt.Errorf("%s is %s, package.json pins %q", name, m.Version, want.Dependencies[name])
	}
	return m.Version, nil
}
