package proc

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
)

func TestFiguresOfThisProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = child.Process.Kill()
		_ = child.Wait() // killed
		if Peak(child.ProcessState) == 0 {
			t.Error("the child held no memory")
		}
	}()
	pid := os.Getpid()
	family := Family(pid)
	if family[0] != pid || !slices.Contains(family, child.Process.Pid) {
		t.Errorf("Family(%d) = %v lacks itself or its child %d", pid, family, child.Process.Pid)
	}
	own := Resident(pid)
	if own < 1<<20 || Sum(family, Resident) <= own {
		t.Errorf("this process has %d bytes, its family %d", own, Sum(family, Resident))
	}
	if p := Proportional(pid); p == 0 || p > 2*own {
		t.Errorf("%d bytes, %d in proportion", own, p)
	}
	before := Descriptors(pid)
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n := Descriptors(pid); n != before+1 {
		t.Errorf("%d descriptors before a file was opened, %d after", before, n)
	}
}

func TestFiguresOfNoProcess(t *testing.T) {
	const nobody = 1 << 30
	if n := Resident(nobody) + Proportional(nobody) + Descriptors(nobody) + int(CPU(nobody)); n != 0 {
		t.Error("a process that is not there has figures")
	}
	if f := Family(nobody); len(f) != 1 {
		t.Errorf("Family = %v", f)
	}
}
