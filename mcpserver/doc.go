// Package mcpserver serves a catalogue of tools over the Model Context
// Protocol: on stdio, and as streamable HTTP.
//
//	srv := mcpserver.New(cat, &mcpserver.Options{Version: "1.2.3"})
//	defer srv.Close()
//	http.Handle("/mcp", srv.Handler())          // or:
//	err := srv.ServeStdio(ctx, os.Stdin, os.Stdout)
//
// The MCP SDK speaks the protocol: life cycle, versions, sessions, features.
// What this package adds is the error contract. A guard in front of the SDK
// reads each message itself, refuses what is broken with a typed error that
// says where and why, and hands only sound messages on; behind the SDK, every
// error gets its type and a panic becomes one failed call. Both transports
// answer alike.
//
// The package knows no tools. It binds no address and checks no tokens, hosts
// or origins: that is the listener's work.
package mcpserver
