package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// vmcpModule has another gateway in Go: vmcp mounts servers over HTTP behind one
// endpoint. It takes long to build, and so is measured where it is given.
const vmcpModule = "github.com/stacklok/toolhive"

const vmcpConfig = `name: bench
groupRef: bench
incomingAuth:
  type: anonymous
outgoingAuth:
  source: inline
  default:
    type: unauthenticated
aggregation:
  conflictResolution: prefix
  conflictResolutionConfig:
    prefixFormat: "{workload}__"
backends:
  - name: up
    url: http://%s
    transport: streamable-http
`

// vmcpWith starts vmcp with one server.
func vmcpWith(ctx context.Context, s *settings, dir, upstream string) (*process, error) {
	config := filepath.Join(dir, "vmcp.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, vmcpConfig, upstream), 0o600); err != nil {
		return nil, err
	}
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	return start(ctx, addr, nil, s.vmcp, "serve", "--config", config, "--port", port)
}

// vmcpVersion is the version that a binary was built from.
func vmcpVersion(binary string) string {
	info, err := buildinfo.ReadFile(binary)
	if err != nil || info.Main.Path != vmcpModule {
		return "of unknown version"
	}
	return info.Main.Version
}

// besides tells of vmcp beside webodar.
func besides(s *settings, webodar, vmcp *way) string {
	us, them := median(webodar.medians), median(vmcp.medians)
	ours, theirs := median(webodar.rates), median(vmcp.rates)
	return fmt.Sprintf(`
The same calls through vmcp %s of [ToolHive](https://github.com/stacklok/toolhive), another
gateway in Go, in the same turns (`+"`BENCHFLAGS='-write -vmcp BINARY'`"+`). It logs each call,
which it cannot be told not to; webodar was told.

| job | through webodar | through vmcp | ratio |
|---|---|---|---|
| one call, one client: median | %.0f µs | %.0f µs | %.2f |
| calls a second, %d clients | %.0f | %.0f | %.2f |
`, vmcpVersion(s.vmcp), us, them, us/them, clients, ours, theirs, ours/theirs)
}
