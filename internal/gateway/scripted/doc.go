// Package scripted is an MCP server that misbehaves on request, for tests of the
// gateway. A test binary becomes one when its TestMain begins with
//
//	scripted.MainIfAsked()
//
// and a test starts it by its own path, with [Environment]. It speaks JSON-RPC
// by hand, since a library would not let it break the rules. It is no server
// for any other use.
package scripted
