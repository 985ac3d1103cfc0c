package report

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Machine says what the figures were measured on.
func Machine(versions map[string]string) string {
	lines := []string{
		"- " + time.Now().UTC().Format("2006-01-02"),
		fmt.Sprintf("- %s, %d cores, %s/%s", processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH),
	}
	named := []string{strings.Replace(runtime.Version(), "go", "Go ", 1)}
	for name, version := range versions {
		named = append(named, name+" "+strings.TrimPrefix(version, "v"))
	}
	slices.Sort(named)
	lines = append(lines, "- "+strings.Join(named, ", "))
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		if average, _, ok := strings.Cut(string(load), " "); ok {
			lines = append(lines, "- load average at the end: "+average)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// processor names the CPU where the system tells.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "CPU of unknown model"
	}
	for line := range strings.Lines(string(info)) {
		key, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "CPU of unknown model"
}
