package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/webodar/webodar/internal/jsengine"
	"github.com/webodar/webodar/internal/render"
)

// Prepare makes a drawer a kind of job.
func (d *drawer) Prepare() (render.Prepared, error) {
	r, err := jsengine.New(&d.opts)
	if err != nil {
		return nil, err
	}
	return &drawing{r}, nil
}

type drawing struct{ *jsengine.Realm }

func (d *drawing) Run(ctx context.Context, input json.RawMessage) (json.RawMessage, error) {
	return d.Call(ctx, "draw", input)
}

// work is the worker process.
func work(d *drawer) error {
	return render.WorkerMain(context.Background(), &render.WorkerOptions{Kinds: render.Kinds{"mermaid": d}, MemoryLimit: 2 << 30}, os.Stdin, os.Stdout)
}

// drawPooled draws every file n times in worker processes, shuffled by who is free,
// and compares the bytes.
func drawPooled(workers, n int, files []string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	pool, err := render.New(&render.Options{Command: []string{exe, "-worker"}, Workers: workers, MaxQueue: n*len(files) + 1})
	if err != nil {
		return err
	}
	defer pool.Close()
	pool.Warm("mermaid")
	var group sync.WaitGroup
	var mu sync.Mutex
	first := map[string]string{}
	failed := 0
	begin := time.Now()
	for range n {
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			input, err := json.Marshal(string(text))
			if err != nil {
				return err
			}
			group.Go(func() {
				answer, err := pool.Do(context.Background(), render.Job{Kind: "mermaid", Input: input})
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err != nil:
					failed++
					fmt.Printf("%-40s %v\n", filepath.Base(name), err)
				case first[name] == "":
					first[name] = string(answer)
				case first[name] != string(answer):
					failed++
					fmt.Printf("%-40s differs\n", filepath.Base(name))
				}
			})
		}
	}
	group.Wait()
	jobs := n * len(files)
	took := time.Since(begin)
	fmt.Printf("%d jobs on %d workers in %.1f s, %.1f a second, %d failed\n", jobs, workers, took.Seconds(), float64(jobs)/took.Seconds(), failed)
	return nil
}
