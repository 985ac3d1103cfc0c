// Command webodar gives AI agents diagrams: an MCP server, a REST API and a
// command line over one catalogue of tools.
//
//	webodar serve                         MCP over stdio
//	webodar serve --http 127.0.0.1:8080   MCP, REST and metrics over HTTP
//	webodar encode diagram.puml           the same tools from the shell
//
// This package wires: it parses flags, reads configuration and connects the
// packages that do the work. Its exit codes are 0 for success, 1 for a failure
// that the message on stderr explains, and 2 for a command line or
// configuration that makes no sense.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program without the process around it.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	cmd, err := root.ExecuteContextC(ctx)
	return exitCode(errOut, cmd, err)
}
