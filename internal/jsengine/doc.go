// Package jsengine runs one realm of JavaScript: a fresh global object in
// QuickJS (pure Go, no cgo), cut off from everything but the Go functions it is
// given.
//
//	bundle, err := jsengine.Open(asset)
//	realm, err := jsengine.New(&jsengine.Options{Bundle: bundle, Programs: programs})
//	defer realm.Close()
//	answer, err := realm.Call(ctx, "render", "graph TD; A-->B")
//
// A realm has no clock, no randomness, no network, no files and no modules of the
// engine's own. Date starts at a fixed instant in UTC and moves only with timers,
// Math.random is seeded, timers and animation frames are queued and run in virtual
// time until the answer is there. Script reaches chunks of the bundle by
// requireChunk(name), which loads them from bytecode when they are first asked for.
//
// A realm is made for one job and thrown away: engines keep counters in module
// scope, and equal input gives equal output only where nothing ran before.
// After a deadline or when memory ran out a realm is spent.
//
// Nothing here knows what the scripts do: no document, no diagrams.
package jsengine
