// Package render runs drawing jobs in worker processes of the same binary.
//
//	pool, err := render.New(&render.Options{Command: []string{exe, "render-worker"}})
//	defer pool.Close()
//	answer, err := pool.Do(ctx, render.Job{Kind: "mermaid", Input: input})
//
// and in the process that the command starts:
//
//	err := render.WorkerMain(ctx, &render.WorkerOptions{Kinds: kinds}, os.Stdin, os.Stdout)
//
// Why processes: engines that hang, run out of memory or crash cost one job; a
// deadline is a kill, exact whatever the engine is doing; memory goes back to the
// system; and two engines in one process wait for each other's allocator.
//
// A worker does one job at a time. After each it prepares the next one's engine, so
// that a job finds it ready. Workers start on demand, at most [Options.Workers],
// end when idle, and end with their parent whatever ends it: each watches its
// stdin, and on Linux the kernel kills it too.
//
// The package knows kinds of jobs by name only. [Local] runs them in this process.
package render
