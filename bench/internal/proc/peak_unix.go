//go:build unix

package proc

import (
	"os"
	"runtime"
	"syscall"
)

// Peak is the most memory that a process which has ended, and was waited for, ever held,
// in bytes; it leaves out what the process's children held.
func Peak(state *os.ProcessState) int {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int(usage.Maxrss) // the others count kilobytes
	}
	return int(usage.Maxrss) * 1024
}
