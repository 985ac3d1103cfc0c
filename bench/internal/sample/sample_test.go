package sample

import "testing"

func TestDiagramIsOneKilobyte(t *testing.T) {
	if n := len(Diagram); n != 1024 {
		t.Errorf("Diagram has %d bytes", n)
	}
}
