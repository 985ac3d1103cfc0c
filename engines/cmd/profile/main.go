// Command profile tells which functions of mermaid, ELK and the document a drawing
// spends its time in.
//
//	profile [-n 5] [-bundle FILE] FILE.mmd
//
// It draws in a warm realm, as a server's worker does. Sampling slows it down, so the
// shares are worth more than the sums; what host functions take is in the function that
// called them. For the engine below script, use go tool pprof on a benchmark.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/webodar/webodar/engines"
	"github.com/webodar/webodar/internal/diagram/mermaid"
	"github.com/webodar/webodar/internal/jsengine"
)

func main() {
	n := flag.Int("n", 5, "draw so `often`")
	file := flag.String("bundle", "", "a bundle instead of the embedded one")
	flag.Parse()
	if err := run(os.Stdout, *file, flag.Arg(0), *n); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, bundleFile, diagram string, n int) error {
	code, err := os.ReadFile(diagram)
	if err != nil {
		return err
	}
	bundle, err := open(bundleFile)
	if err != nil {
		return err
	}
	realm, err := mermaid.Prepare(bundle)
	if err != nil {
		return err
	}
	defer realm.Close()
	for more := true; more; {
		if more, err = realm.Warm(); err != nil {
			return err
		}
	}
	p := profile{self: map[string]time.Duration{}, total: map[string]time.Duration{}, calls: map[string]time.Duration{}}
	realm.Engine().Profile(p.sample)
	if err := realm.Keep(); err != nil {
		return err
	}
	begin := time.Now()
	for range n {
		if _, err := mermaid.Render(context.Background(), realm, &mermaid.Request{Code: string(code)}); err != nil {
			return err
		}
		if err := realm.Reset(); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%v a drawing, sampling included\n", (time.Since(begin) / time.Duration(n)).Round(time.Microsecond))
	show(w, "in the function itself", p.self, n, 40)
	show(w, "with what it calls", p.total, n, 60)
	show(w, "by caller", p.calls, n, 30)
	return nil
}

func open(file string) (*jsengine.Bundle, error) {
	if file == "" {
		return engines.Mermaid()
	}
	asset, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return jsengine.Open(asset)
}

// profile gathers time by function.
type profile struct{ self, total, calls map[string]time.Duration }

func (p *profile) sample(stack []string, spent time.Duration) {
	for i, name := range stack {
		if name == "" {
			stack[i] = "(anonymous)"
		}
	}
	if len(stack) > 0 {
		p.self[stack[0]] += spent
	}
	if len(stack) > 1 {
		p.calls[stack[0]+" < "+stack[1]] += spent
	}
	slices.Sort(stack)
	for _, name := range slices.Compact(stack) {
		p.total[name] += spent
	}
}

func show(w io.Writer, title string, spent map[string]time.Duration, n, most int) {
	fmt.Fprintf(w, "\n%s\n", title)
	names := slices.SortedFunc(maps.Keys(spent), func(a, b string) int {
		return cmp.Or(cmp.Compare(spent[b], spent[a]), cmp.Compare(a, b))
	})
	for _, name := range names[:min(most, len(names))] {
		fmt.Fprintf(w, "%9.2f ms  %s\n", spent[name].Seconds()*1000/float64(n), name)
	}
}
