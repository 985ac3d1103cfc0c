package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// watch returns the most memory that a process and its descendants have held together
// until done is closed: the sum of their proportional set sizes, so that what they share
// counts once. 0 where the system does not tell.
func watch(pid int, done <-chan struct{}) int {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	most := 0
	for {
		select {
		case <-done:
			return most
		case <-tick.C:
			sum := 0
			for _, p := range family(pid) {
				sum += memoryOf(p)
			}
			most = max(most, sum)
		}
	}
}

// family is a process and its descendants.
func family(pid int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is sound
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		id, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		_, rest, ok := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		if err != nil || !ok || len(fields) < 2 {
			continue
		}
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			children[parent] = append(children[parent], id)
		}
	}
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

func memoryOf(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "\nPss:")
	kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.Atoi(kb)
	if err != nil {
		return 0
	}
	return n * 1024
}
