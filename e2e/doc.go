// Package e2e drives the real binary with real clients: the MCP inspector, the
// JavaScript and Go SDKs, the MCP conformance suite, plain HTTP and plain
// pipes. It knows the product by what it says on the wire and nothing else.
//
//	make e2e
//
// The binary is built once per run; WEBODAR_BIN names another to test instead.
// The JavaScript clients come from package-lock.json ("npm ci"), a Node 22
// included. Where they are not installed, their tests are skipped with a line
// that says so, unless CI is set: then they fail. Chromium is the machine's own;
// where there is none, what needs it is skipped unless WEBODAR_CHROMIUM is
// "required". It may be a path, too.
//
// Everything listens on loopback, is bounded in time, and waits for what
// happens instead of sleeping.
package e2e
