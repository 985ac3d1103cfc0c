package gateway

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// isolate gives the child a process group of its own, which can be ended as a
// whole and which a terminal's Ctrl-C does not reach, and has the kernel kill
// it when the thread that starts it ends.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// spawner starts all children from one thread that lives as long as it does:
// the kernel binds a child to a thread and not to a process, and Go ends
// threads as it likes.
type spawner struct {
	work  chan func()
	ended sync.WaitGroup
}

func newSpawner() *spawner {
	s := &spawner{work: make(chan func())}
	s.ended.Go(func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		for f := range s.work {
			f()
		}
	})
	return s
}

func (s *spawner) start(cmd *exec.Cmd) error {
	err := make(chan error, 1)
	s.work <- func() { err <- cmd.Start() }
	return <-err
}

// close ends the thread, and with it children that are still there.
func (s *spawner) close() {
	close(s.work)
	s.ended.Wait()
}
