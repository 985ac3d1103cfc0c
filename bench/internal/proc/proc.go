// Package proc reads from Linux's /proc what processes take: memory, processor time,
// descriptors. On other systems, and for processes that have ended, figures are 0.
//
//	done := make(chan struct{})
//	go func() { most <- proc.Watch(cmd.Process.Pid, done) }()
package proc

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of processor time: Linux's USER_HZ is 100 on all that Go runs on.
const tick = 10 * time.Millisecond

// Family is a process and its descendants.
func Family(pid int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is sound
	for _, path := range stats {
		id, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if fields := stat(id); err == nil && len(fields) > 1 {
			parent := number(fields[1])
			children[parent] = append(children[parent], id)
		}
	}
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// Sum adds up a figure of several processes.
func Sum[N int | time.Duration](pids []int, figure func(pid int) N) (sum N) {
	for _, pid := range pids {
		sum += figure(pid)
	}
	return sum
}

// CPU is the processor time that a process has used.
func CPU(pid int) time.Duration {
	fields := stat(pid)
	if len(fields) < 13 {
		return 0
	}
	return time.Duration(number(fields[11])+number(fields[12])) * tick
}

// Resident is the memory that a process holds, in bytes.
func Resident(pid int) int { return kilobytes(pid, "status", "VmRSS:") }

// Proportional is the memory that a process holds, in bytes, with its share of what it
// holds together with others.
func Proportional(pid int) int { return kilobytes(pid, "smaps_rollup", "Pss:") }

// Descriptors counts the files, pipes and sockets that a process has open.
func Descriptors(pid int) int {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return 0
	}
	return len(entries)
}

// Watch returns the most memory that a process and its descendants have held together
// until done is closed, in bytes, as looked at every 20 ms; what they share counts once.
func Watch(pid int, done <-chan struct{}) int {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	most := 0
	for {
		select {
		case <-done:
			return most
		case <-ticker.C:
			most = max(most, Sum(Family(pid), Proportional))
		}
	}
}

// stat are the fields of /proc/PID/stat behind the name, which may have anything in it:
// the state, the parent and so on.
func stat(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}

func kilobytes(pid int, file, key string) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			return number(strings.TrimSuffix(strings.TrimSpace(rest), " kB")) * 1024
		}
	}
	return 0
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}
