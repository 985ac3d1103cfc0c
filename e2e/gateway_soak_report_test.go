package e2e

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ledger has a line for each call.
type ledger struct {
	servers []string
	config  func(extended bool) string

	mu       sync.Mutex
	sent     int
	outcomes map[string]int
	counted  []string // ids that a result of count came for
	unknown  []string // what should not have been
}

// enter notes what came of a call.
func (l *ledger) enter(tool, id, outcome string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent++
	if err != nil {
		l.unknown = append(l.unknown, fmt.Sprintf("%s %s: %.500s", tool, id, err))
		return
	}
	if l.outcomes == nil {
		l.outcomes = map[string]int{}
	}
	l.outcomes[outcome]++
	if outcome == result && strings.HasSuffix(tool, "__count") {
		l.counted = append(l.counted, id)
	}
}

// wrong notes what is no call and should not have been.
func (l *ledger) wrong(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unknown = append(l.unknown, fmt.Sprintf(format, args...))
}

func (l *ledger) brief(since time.Duration) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprintf("%s: %d calls, %d with a result, %d unaccounted for", since.Round(time.Second), l.sent, l.outcomes[result], len(l.unknown))
}

// samples are what was seen of the gateway's process.
type samples struct {
	mu            sync.Mutex
	before, after sample
	while         []sample
}

// sample is one look at it, in the order of figures.
type sample []float64

// figures are what is looked at. Between two looks at rest, and between the
// second tenth of the time and the last, each may grow by a share and an amount.
var figures = []struct {
	name   string
	share  float64
	amount float64
}{
	{"goroutines", 0, 12},
	{"descriptors", 0, 8},
	{"child processes", 0, 0},
	{"resident memory, MB", 0.15, 24},
	{"heap after collection, MB", 0.15, 4},
}

var (
	metricLine = regexp.MustCompile(`(?m)^(go_goroutines|go_memstats_next_gc_bytes|go_gc_gogc_percent) (\S+)$`)
	rssLine    = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)
)

// look looks at the gateway.
func (s *soak) look() sample {
	metrics := map[string]float64{}
	for _, m := range metricLine.FindAllStringSubmatch(s.get("/metrics"), -1) {
		metrics[m[1]], _ = strconv.ParseFloat(m[2], 64) // Prometheus' format
	}
	proc := fmt.Sprintf("/proc/%d/", s.p.cmd.Process.Pid)
	open, err := os.ReadDir(proc + "fd")
	if err != nil {
		s.Fatal(err)
	}
	status, err := os.ReadFile(proc + "status")
	if err != nil {
		s.Fatal(err)
	}
	kb, _ := strconv.ParseFloat(rssLine.FindStringSubmatch(string(status))[1], 64) // digits
	const mb = 1 << 20
	return sample{
		metrics["go_goroutines"], float64(len(open)), float64(len(children(s.T, s.p.cmd.Process.Pid, ""))), kb / 1024,
		metrics["go_memstats_next_gc_bytes"] / (1 + metrics["go_gc_gogc_percent"]/100) / mb,
	}
}

func (s *soak) sample(when string) {
	seen := s.look()
	s.samples.mu.Lock()
	defer s.samples.mu.Unlock()
	switch when {
	case "before":
		s.samples.before = seen
	case "after":
		s.samples.after = seen
	default:
		s.samples.while = append(s.samples.while, seen)
	}
}

// alive fails the test if the gateway has ended, and says how.
func (s *soak) alive() {
	if !s.p.gone() {
		return
	}
	log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	s.Fatalf("the gateway ended after %s (%s): %s\n%s\nits log ends with\n%s",
		s.took.Round(time.Second), s.ledger.brief(s.took), s.p.cmd.ProcessState, s.p.log, log[max(0, len(log)-20_000):])
}

// settle waits until all servers work.
func (s *soak) settle() {
	var ready string
	for end := time.Now().Add(2 * patience); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if ready = s.get("/readyz"); strings.Contains(ready, `"status":"ready"`) {
			return
		}
	}
	log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	s.Errorf("not all servers work again: %s\n%s", ready, log[max(0, len(log)-20_000):])
}

// quiet waits until what clients left behind has been given up, or is not going
// to be.
func (s *soak) quiet() {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		quiet := true
		for i, value := range s.look() {
			quiet = quiet && (figures[i].share > 0 || value <= s.samples.before[i]+figures[i].amount/4)
		}
		if quiet {
			return
		}
	}
}

// listening waits for the log to say where the gateway listens.
func (s *soak) listening() string {
	var url string
	eventually(s.T, "it listens", func() bool {
		text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
		if m := listening.FindStringSubmatch(string(text)); m != nil {
			url = m[2]
		}
		return url != ""
	})
	return url
}

// judge prints what was seen and fails the test where it is too much.
func (s *soak) judge() {
	l := &s.ledger
	accounted := 0
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s on %d cores (%s/%s, %s): %d calls, %.0f a second; %.1f %% of a core for the gateway\n",
		s.took.Round(time.Second), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(),
		l.sent, float64(l.sent)/s.took.Seconds(), 100*s.cpu().Seconds()/s.took.Seconds())
	fmt.Fprintf(&b, "%d children killed, %d restarts of a server over HTTP, %d reloads\n\n", s.incidents.kills, s.incidents.restarts, s.incidents.reloads)
	for _, outcome := range slices.Sorted(maps.Keys(l.outcomes)) {
		fmt.Fprintf(&b, "| %s | %d |\n", outcome, l.outcomes[outcome])
		accounted += l.outcomes[outcome]
	}
	fmt.Fprintf(&b, "| unaccounted for | %d |\n\n", l.sent-accounted)
	for i, problem := range l.unknown[:min(len(l.unknown), 20)] {
		s.Errorf("problem %d of %d: %s", i+1, len(l.unknown), problem)
	}
	executed, twice := s.executions()
	fmt.Fprintf(&b, "executions of a tool that is not idempotent: %d, twice for one call: %d\n\n", executed, twice)
	s.table(&b)
	s.Log(b.String())
	if l.outcomes[result] == 0 || executed == 0 {
		s.Error("nothing has worked")
	}
}

// executions counts what the servers have noted.
func (s *soak) executions() (executed, twice int) {
	seen := map[string]int{}
	for _, server := range s.ledger.servers {
		text, err := os.ReadFile(s.record(server))
		if err != nil && !os.IsNotExist(err) {
			s.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			id, ok := strings.CutPrefix(strings.TrimSpace(line), "count ")
			if !ok {
				continue
			}
			executed++
			if seen[id]++; seen[id] > 1 {
				twice++
				s.Errorf("%s was executed %d times", id, seen[id])
			}
		}
	}
	for _, id := range s.ledger.counted {
		if seen[id] == 0 {
			s.Errorf("%s has a result and was never executed", id)
		}
	}
	return executed, twice
}

// table writes the samples and judges them.
func (s *soak) table(b *strings.Builder) {
	n := len(s.samples.while)
	if n == 0 { // interrupted at once
		return
	}
	early, late := s.samples.while[n/10:n/10+(n+9)/10], s.samples.while[n-(n+9)/10:]
	fmt.Fprintln(b, "| | at rest before | first minutes | last minutes | highest | at rest after |\n|---|---|---|---|---|---|")
	for i, f := range figures {
		before, after := s.samples.before[i], s.samples.after[i]
		from, to, highest := middle(early, i), middle(late, i), 0.0
		for _, one := range s.samples.while {
			highest = max(highest, one[i])
		}
		fmt.Fprintf(b, "| %s | %.0f | %.0f | %.0f | %.0f | %.0f |\n", f.name, before, from, to, highest, after)
		// The memory that a first call needs, a process that was never called has not
		// got; and what a short time shows of memory is how it warms up.
		if f.share == 0 && after > before+f.amount {
			s.Errorf("%s at rest: %.0f before, %.0f after; more than %.0f more", f.name, before, after, f.amount)
		}
		if f.share > 0 && s.took > 5*time.Minute && to > from*(1+f.share)+f.amount {
			s.Errorf("%s: %.0f in the first minutes, %.0f in the last; more than %.0f %% and %.0f more", f.name, from, to, 100*f.share, f.amount)
		}
	}
}

// middle is the median of one figure.
func middle(of []sample, i int) float64 {
	values := make([]float64, 0, len(of))
	for _, one := range of {
		values = append(values, one[i])
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// cpu is the time that the gateway itself has taken.
func (s *soak) cpu() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.p.cmd.Process.Pid))
	if err != nil {
		s.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11]) // proc(5): utime and stime, in hundredths
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}
