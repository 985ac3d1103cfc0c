package main

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// machine is what the places of configuration files depend on.
type machine struct {
	os           string // as in GOOS
	home         string
	appData      string // Windows: roaming application data
	localAppData string // Windows
	config       string // elsewhere: XDG's directory
	claudeCode   string // where Claude Code keeps its file; home unless moved
	workDir      string
	project      string // root of the project in the working directory; may be empty
}

// place is where a client looks for its configuration.
type place struct {
	path  string
	scope string // user or project, in words
}

// thisMachine is the one that the program runs on. It asks the environment, as
// the clients do.
func thisMachine() *machine {
	m := &machine{os: runtime.GOOS, home: os.Getenv("HOME")}
	if m.os == "windows" {
		m.home = os.Getenv("USERPROFILE")
	}
	m.appData = cmp.Or(os.Getenv("APPDATA"), m.join(m.home, "AppData", "Roaming"))
	m.localAppData = cmp.Or(os.Getenv("LOCALAPPDATA"), m.join(m.home, "AppData", "Local"))
	m.config = cmp.Or(os.Getenv("XDG_CONFIG_HOME"), m.join(m.home, ".config"))
	m.claudeCode = cmp.Or(os.Getenv("CLAUDE_CONFIG_DIR"), m.home)
	// Without a working directory there is no project to look at.
	if dir, err := os.Getwd(); err == nil {
		m.workDir, m.project = dir, projectRoot(dir)
	}
	return m
}

// join is filepath.Join for the machine's system rather than this one.
func (m *machine) join(elem ...string) string {
	if m.os == "windows" {
		return strings.Join(elem, `\`)
	}
	return filepath.Join(elem...)
}

// application is the directory of a desktop application's user data.
func (m *machine) application(elem ...string) string {
	base := m.config
	switch m.os {
	case "darwin":
		base = m.join(m.home, "Library", "Application Support")
	case "windows":
		base = m.appData
	}
	return m.join(append([]string{base}, elem...)...)
}

// projectFile is a place in the project, if there is a project.
func (m *machine) projectFile(elem ...string) []place {
	if m.project == "" {
		return nil
	}
	return []place{{m.join(append([]string{m.project}, elem...)...), "this project"}}
}

// packaged is where Claude Desktop keeps its file when it came as a Windows
// package: such applications see a redirected copy of AppData.
func (m *machine) packaged(file string) []place {
	if m.os != "windows" {
		return nil
	}
	pattern := m.join(m.localAppData, "Packages", "Claude_*", "LocalCache", "Roaming", "Claude")
	dirs, err := filepath.Glob(pattern)
	if err != nil { // a home with a bracket in its name
		return nil
	}
	var places []place
	for _, dir := range dirs {
		places = append(places, place{m.join(dir, file), "all projects; installed as a Windows package"})
	}
	return places
}

// projectRoot is the nearest directory above dir that is under version
// control, or dir.
func projectRoot(dir string) string {
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, ".git")); err == nil {
			return root
		}
		if root == filepath.Dir(root) {
			return dir
		}
	}
}
