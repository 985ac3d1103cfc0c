//go:build unix && !linux

package gateway

import (
	"os/exec"
	"syscall"
)

// isolate gives the child a process group of its own. When this process is
// killed the child finds its input closed.
func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
