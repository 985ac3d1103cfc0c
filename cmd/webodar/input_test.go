package main

import (
	"context"
	"os"
	"strings"
	"testing"
)

// TestReadInterrupted holds that a signal ends the wait for standard input.
func TestReadInterrupted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readAll(ctx, r, "standard input"); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("got %v, want an interruption", err)
	}
}
