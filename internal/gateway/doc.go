// Package gateway mounts other MCP servers into the catalogue, and keeps the
// failure of one of them from being anybody else's.
//
//	config, err := gateway.Parse(data, &gateway.ParseOptions{Env: os.LookupEnv})
//	gw := gateway.New(cat, &gateway.Options{Logger: log})
//	defer gw.Close()
//	gw.Apply(config)
//
// Each server is an upstream with one goroutine that connects, watches and
// reconnects it. The SDK's client shakes hands and holds the stream of an HTTP
// session open; requests on behalf of clients are written and read by this
// package as they stand, so that nothing in them is lost and each has its own
// fate. Calls pass a limit, a circuit breaker and a time limit, and are tried
// again only where they cannot have been executed, or may be executed twice.
//
// The package speaks to no client: it fills a [catalog.Catalog] and is called
// by its doors.
package gateway
