//go:build !linux

package render

import "os/exec"

// bindToParent does nothing here: a worker ends when its stdin does.
func bindToParent(*exec.Cmd) {}

// limitMemory does nothing here: the engine's own limit holds.
func limitMemory(uint64) error { return nil }

// residentMemory is not known here.
func residentMemory() uint64 { return 0 }
