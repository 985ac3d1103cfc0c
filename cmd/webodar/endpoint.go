package main

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// parseEndpoint reads the address of a listener: a URL, or what serve --http
// takes, so that one setting in the configuration file serves both. The result
// has a path, /mcp unless s says otherwise.
func parseEndpoint(s string) (*url.URL, error) {
	text := s
	if !strings.Contains(text, "://") {
		text = "http://" + withHost(text)
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, usageError{fmt.Errorf("--http %q: want a URL such as http://127.0.0.1:8080", s)}
	}
	if u.Port() != "" && isUnspecified(u.Hostname()) { // a server listens there, nobody connects to it
		u.Host = net.JoinHostPort("127.0.0.1", u.Port())
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/mcp"
	}
	return u, nil
}

func isUnspecified(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsUnspecified()
}

// isLoopback reports whether u leads to this machine.
func isLoopback(u *url.URL) bool {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// presence is the value of a flag that only asks whether there is a token. It
// takes any text, because WEBODAR_TOKEN and the configuration file, which set
// it too, hold the token itself; and it forgets it.
type presence bool

func (p *presence) Set(s string) error {
	*p = s != "" && s != "false"
	return nil
}

func (p *presence) String() string {
	if *p {
		return "true"
	}
	return "false"
}

func (p *presence) Type() string { return "bool" }
