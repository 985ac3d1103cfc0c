// Package httpd is the listener in front of the HTTP doors: it checks Host,
// Origin and bearer token, gives each request an id, bounds slow clients, and
// stops without cutting off calls in flight.
//
//	srv := httpd.New(&httpd.Options{Token: token}, httpd.Route{
//		Path: "/mcp", Handler: mcp, Refuse: refuse, Guard: httpd.GuardBrowser,
//	}, httpd.Route{Path: "/", …})
//	err := srv.Serve(ctx, listener)
//
// Doors answer in shapes of their own, so each route brings the function that
// writes a refusal. The package terminates no TLS and limits no rates.
package httpd
