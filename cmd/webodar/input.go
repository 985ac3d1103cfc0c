package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/catalog"
)

// stdinName is the file name that stands for standard input.
const stdinName = "-"

// readText reads the one text that a command works on: the file that args
// names, or standard input.
func readText(cmd *cobra.Command, args []string) (string, error) {
	name := stdinName
	if len(args) > 0 {
		name = args[0]
	}
	if name == stdinName && isTerminal(cmd.InOrStdin()) {
		fmt.Fprintln(cmd.ErrOrStderr(), "reading from the terminal; end with Ctrl-D on a line of its own")
	}
	data, err := readInput(cmd, name)
	if err != nil {
		return "", err
	}
	return checkText(name, data)
}

// readInput reads a file, or standard input for "-".
func readInput(cmd *cobra.Command, name string) ([]byte, error) {
	if name == stdinName {
		return readAll(cmd.Context(), cmd.InOrStdin(), "standard input")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer f.Close()
	return readAll(cmd.Context(), f, name)
}

// readAll reads r until it ends or ctx does: a signal must be able to end the
// wait for a terminal or a pipe, and a read of one cannot be interrupted.
func readAll(ctx context.Context, r io.Reader, name string) ([]byte, error) {
	type outcome struct {
		data []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(r, catalog.DefaultMessageBytes+1))
		done <- outcome{data, err}
	}()
	select {
	case out := <-done:
		switch {
		case out.err != nil:
			return nil, unreadable(name, out.err)
		case len(out.data) > catalog.DefaultMessageBytes:
			return nil, tooLarge(name)
		}
		return out.data, nil
	case <-ctx.Done():
		return nil, &catalog.Error{Type: catalog.Cancelled, Code: "CANCELLED", Message: "interrupted while reading " + name}
	}
}

// tooLarge bounds what is read into memory, at what the other doors take; the
// tools have lower limits of their own.
func tooLarge(name string) *catalog.Error {
	return &catalog.Error{
		Type: catalog.RequestTooLarge, Code: "REQUEST_TOO_LARGE",
		Message: fmt.Sprintf("%s is larger than %d MiB", name, catalog.DefaultMessageBytes>>20),
		Hint:    "Check that it is the file you mean; no tool takes as much.",
		Details: map[string]any{"limitBytes": catalog.DefaultMessageBytes},
	}
}

// reasonOf is err without the system call and the path, which the message has
// anyway.
func reasonOf(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// unreadable says what stopped a file from being read.
func unreadable(name string, err error) *catalog.Error {
	e := &catalog.Error{
		Type: catalog.InvalidRequestError, Code: "FILE_UNREADABLE",
		Message: fmt.Sprintf("cannot read %s: %v", name, reasonOf(err)), Cause: err,
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Hint = "Check the path, or pass - to read standard input."
	case errors.Is(err, fs.ErrPermission):
		e.Hint = "Make the file readable for you, or pipe it in: … | webodar COMMAND -"
	default:
		e.Hint = "Pass the path of a plain file, or - to read standard input."
	}
	return e
}

// checkText returns data as a text, without the byte order mark that some
// editors put in front: it belongs to the file, not to what is in it.
func checkText(name string, data []byte) (string, error) {
	if name == stdinName {
		name = "standard input"
	}
	if utf8.Valid(data) {
		return strings.TrimPrefix(string(data), "\ufeff"), nil
	}
	offset, line := invalidAt(data)
	e := &catalog.Error{
		Type: catalog.EncodingError, Code: "INVALID_UTF8",
		Message: fmt.Sprintf("%s is not UTF-8: byte 0x%02x at offset %d, line %d", name, data[offset], offset, line),
		Hint:    "Convert it first, for example: iconv -f ISO-8859-1 -t UTF-8 IN > OUT",
		Details: map[string]any{"offset": offset, "line": line},
	}
	if len(data) >= 2 && (data[0] == 0xff && data[1] == 0xfe || data[0] == 0xfe && data[1] == 0xff) {
		e.Message = name + " is UTF-16, not UTF-8"
		e.Hint = "Convert it first, for example: iconv -f UTF-16 -t UTF-8 IN > OUT"
	}
	return "", e
}

// invalidAt returns where the first byte stands that is not UTF-8; line counts
// from 1.
func invalidAt(data []byte) (offset, line int) {
	line = 1
	for offset < len(data) {
		r, size := utf8.DecodeRune(data[offset:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		offset += size
	}
	return offset, line
}
