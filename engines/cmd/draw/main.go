// Command draw draws Mermaid files with the engine, the document and the realm
// alone: for trying patches and profiling, without workers, checks or scrubbing.
//
//	draw [-bundle FILE] [-n 5] [-o DIR] FILE...
//	draw -pool 2 [-n 5] FILE...
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/webodar/webodar/engines"
	"github.com/webodar/webodar/internal/dom"
	"github.com/webodar/webodar/internal/jsengine"
)

// glue is what a page would do.
const glue = `
globalThis.boot = () => {
	globalThis.mermaid = requireChunk("mermaid.esm").default;
	mermaid.initialize({
		startOnLoad: false, securityLevel: "strict", htmlLabels: false, suppressErrorRendering: true, handDrawnSeed: 1,
		deterministicIds: true, deterministicIDSeed: "d", maxTextSize: 1048576, journey: { textPlacement: "tspan" },
		timeline: { textPlacement: "tspan" }, fontFamily: "Arial, Helvetica, sans-serif",
	});
};
globalThis.draw = async (text) => (await mermaid.render("d", text)).svg;
boot();`

func main() {
	file := flag.String("bundle", "", "a bundle instead of the embedded one")
	n := flag.Int("n", 1, "draw each file so often, each time in a new realm")
	out := flag.String("o", "", "write SVGs into this `folder`")
	profile := flag.String("cpuprofile", "", "write a CPU profile to `file`")
	verbose := flag.Bool("v", false, "show what is written to console")
	workers := flag.Int("pool", 0, "draw in so many worker processes, and compare")
	worker := flag.Bool("worker", false, "be such a process")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "draw:", err)
			os.Exit(1)
		}
		defer pprof.StopCPUProfile()
	}
	d, err := newDrawer(*file, *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
	switch {
	case *worker:
		err = work(d)
	case *workers > 0:
		err = drawPooled(*workers, *n, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
	if *workers > 0 {
		return
	}
	for _, name := range flag.Args() {
		if err := d.file(name, *n, *out); err != nil {
			fmt.Printf("%-40s %v\n", filepath.Base(name), err)
			var thrown *jsengine.ScriptError
			if *verbose && errors.As(err, &thrown) {
				fmt.Println(thrown.Stack)
			}
		}
	}
}

type drawer struct {
	opts jsengine.Options
}

func newDrawer(file string, verbose bool) (*drawer, error) {
	bundle, err := engines.Mermaid()
	if file != "" {
		var asset []byte
		if asset, err = os.ReadFile(file); err == nil {
			bundle, err = jsengine.Open(asset)
		}
	}
	if err != nil {
		return nil, err
	}
	d := &drawer{opts: jsengine.Options{Bundle: bundle, Host: dom.Host()}}
	if verbose {
		d.opts.Console = func(level, text string) { fmt.Fprintln(os.Stderr, level, text) }
	}
	sources := []jsengine.Source{{Name: "glue.js", Code: glue}}
	for i, s := range dom.Sources() {
		sources = slices.Insert(sources, i, jsengine.Source(s))
	}
	for _, s := range sources {
		p, err := jsengine.Compile(s)
		if err != nil {
			return nil, err
		}
		d.opts.Programs = append(d.opts.Programs, p)
	}
	return d, nil
}

// file draws one file n times and prints the best times.
func (d *drawer) file(name string, n int, out string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var ready, drawn []time.Duration
	var first string
	for range n {
		begin := time.Now()
		r, err := jsengine.New(&d.opts)
		if err != nil {
			return err
		}
		ready = append(ready, time.Since(begin))
		begin = time.Now()
		answer, err := r.Call(context.Background(), "draw", string(text))
		drawn = append(drawn, time.Since(begin))
		if err := r.Close(); err != nil {
			return err
		}
		if err != nil {
			return err
		}
		if first == "" {
			if err := json.Unmarshal(answer, &first); err != nil {
				return err
			}
		}
	}
	slices.Sort(drawn)
	slices.Sort(ready)
	fmt.Printf("%-40s ready %6.1f ms  drawn %7.1f ms  %7d bytes\n", filepath.Base(name), ms(ready[n/2]), ms(drawn[n/2]), len(first))
	if out == "" {
		return nil
	}
	base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	return os.WriteFile(filepath.Join(out, base+".svg"), []byte(first), 0o644)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
