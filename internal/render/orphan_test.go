package render_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webodar/webodar/internal/render"
)

// parent is a process with busy and idle workers, which it names on stdout; then
// it waits for its end.
func parent() {
	p, err := render.New(&render.Options{Command: []string{os.Args[0], "worker"}, Workers: 3})
	if err != nil {
		panic(err)
	}
	for i := range 3 {
		go func() {
			wish := "spin"
			if i == 0 {
				wish = "sleep"
			}
			_, _ = p.Do(context.Background(), job(wish, 1))
		}()
	}
	for p.Stats().Workers < 3 || p.Stats().Busy > 2 {
		time.Sleep(time.Millisecond)
	}
	fmt.Println("ready")
	if len(os.Args) > 2 && os.Args[2] == "returns" {
		os.Exit(0)
	}
	select {}
}

// TestNoOrphans ends parents in every way and looks for their workers.
func TestNoOrphans(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	for _, how := range []string{"SIGKILL", "SIGTERM", "SIGINT", "returns"} {
		t.Run(how, func(t *testing.T) {
			args := command(t, "parent", how)
			cmd := exec.Command(args[0], args[1:]...)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			// A mark by which its workers are known.
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
				t.Fatalf("got %q, %v", line, err)
			}
			var workers []int
			if how != "returns" {
				if workers = children(cmd.Process.Pid); len(workers) != 3 {
					t.Fatalf("%d workers", len(workers))
				}
			}
			switch how {
			case "SIGKILL":
				_ = cmd.Process.Kill()
			case "SIGTERM":
				_ = cmd.Process.Signal(syscall.SIGTERM)
			case "SIGINT":
				_ = cmd.Process.Signal(syscall.SIGINT)
			}
			_ = cmd.Wait()
			for end := time.Now().Add(3 * time.Second); ; time.Sleep(5 * time.Millisecond) {
				left := 0
				for _, pid := range workers {
					if alive(pid) {
						left++
					}
				}
				if left == 0 {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("%d workers outlive their parent", left)
				}
			}
		})
	}
}

func children(parent int) (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		var pid, ppid int
		var state string
		if _, err := fmt.Sscan(e.Name(), &pid); err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		if _, err := fmt.Sscan(rest, &state, &ppid); err == nil && ppid == parent {
			pids = append(pids, pid)
		}
	}
	return pids
}

func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// TestStdinEnds: a worker ends when its stdin does, though a job spins. This is
// what there is where the kernel does not kill it.
func TestStdinEnds(t *testing.T) {
	args := command(t, "worker")
	cmd := exec.Command(args[0], args[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	head, body := `{"id":1,"kind":"fake","job":true}`, `{"do":"spin"}`
	frame := binary.LittleEndian.AppendUint32(nil, uint32(4+len(head)+len(body)))
	frame = binary.LittleEndian.AppendUint32(frame, uint32(len(head)))
	if _, err := in.Write([]byte(string(frame) + head + body)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond)
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(3 * time.Second):
		_ = cmd.Process.Kill()
		t.Error("the worker goes on")
		<-done
	}
}

// babble is a worker process that does not keep to the protocol.
func babble(how string) {
	answer := `{"state":"finished","id":1}`
	frame := func(head string) {
		b := binary.LittleEndian.AppendUint32(nil, uint32(4+len(head)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
		_, _ = os.Stdout.WriteString(string(b) + head)
	}
	switch how {
	case "garbage":
		_, _ = os.Stdout.WriteString("Hello, this is no frame")
	case "huge":
		_, _ = os.Stdout.WriteString("\xff\xff\xff\xff\x00\x00\x00\x00")
	case "early":
		frame(answer)
	case "strange":
		frame(`{"state":"bored"}`)
	case "quits":
		os.Exit(0)
	}
	time.Sleep(time.Minute)
}
