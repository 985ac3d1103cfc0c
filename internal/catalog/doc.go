// Package catalog is what every door of the server offers: tools, resources
// and prompts, and the one way to call them.
//
// A tool is written once, as a [Tool] value, and knows nothing of transports.
// The doors (MCP over stdio and HTTP, REST, the command line) read the
// catalogue and map its [Error] to what their clients expect:
//
//	cat, err := catalog.New(&catalog.Options{Tools: builtin})
//	res, err := cat.Call(ctx, "encodePlantUML", []byte(`{"plantumlCode":"A -> B"}`))
//
// [Catalog.Call] looks the tool up, checks its arguments, bounds its time and
// turns a panic into an [Error]; a door adds only its own wire shape. The
// catalogue may change while it is used; [Catalog.OnChange] tells the doors.
//
// The package imports no MCP SDK and no HTTP. It does not log, count or speak
// any protocol.
package catalog
