package render

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// bindToParent has the kernel kill the process when the thread that starts it ends,
// and keeps a terminal's Ctrl-C from it: what ends a job is the pool's decision.
func bindToParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// limitMemory bounds this process's private writable memory, which is heap and what
// the engine maps, but not the address space that Go reserves.
func limitMemory(limit uint64) error {
	if limit == 0 {
		return nil
	}
	const rlimitData = 2
	return syscall.Setrlimit(rlimitData, &syscall.Rlimit{Cur: limit, Max: limit})
}

// residentMemory is this process's resident set in bytes, 0 if it cannot be read.
func residentMemory() uint64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(data)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseUint(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * uint64(os.Getpagesize())
}
