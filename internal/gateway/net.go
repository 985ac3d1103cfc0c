package gateway

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"syscall"
	"time"
)

// dialer gives up on a server that does not take a connection, and finds one
// that has vanished.
var dialer = &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}

// plainNetError says what happened without the URL, whose query may hold a
// secret, and without Go's names.
func plainNetError(err error) error {
	var inURL *url.Error
	if errors.As(err, &inURL) {
		err = inURL.Err
	}
	var dns *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return errNobody
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return errors.New("the connection was reset")
	case errors.As(err, &dns):
		return errors.New("the name " + dns.Name + " is not known")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the connection was closed")
	}
	return err
}

// sleep waits, or returns why it was woken.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// errNobody is a server that is not running.
var errNobody = errors.New("nothing listens there (connection refused)")
