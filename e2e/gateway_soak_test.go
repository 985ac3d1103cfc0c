package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// soakVariable is how long TestSoak takes; `make soak` sets it.
const soakVariable = "WEBODAR_SOAK"

// shortSoak is what TestSoak takes among the other tests.
const shortSoak = 10 * time.Second

// apart keeps the Ctrl-C that ends a soak from what is looked at afterwards.
var apart = &syscall.SysProcAttr{Setpgid: true}

// TestSoak has clients come, call and go for a long time at a low rate, while
// what they call is slow, mute, killed and configured anew. Each call is answered
// by a result or a typed error, what is not idempotent is executed at most once,
// and the gateway ends with as much of everything as it began with.
func TestSoak(t *testing.T) {
	took := shortSoak
	if text := os.Getenv(soakVariable); text != "" {
		var err error
		if took, err = time.ParseDuration(text); err != nil || took < shortSoak {
			t.Fatalf("%s=%s: want a duration of at least %s, such as 30m", soakVariable, text, shortSoak)
		}
	} else {
		t.Parallel() // a long one is run by itself
	}
	children(t, os.Getpid(), "") // skips where it cannot be seen
	interrupted, stop := signal.NotifyContext(t.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := newSoak(t)
	s.settle()
	s.sample("before")

	ctx, cancel := context.WithTimeout(interrupted, took)
	defer cancel()
	go func() {
		select {
		case <-s.p.exited: // nothing is to be learned from calling on
			cancel()
		case <-ctx.Done():
		}
	}()
	s.begun = time.Now()
	// A short soak has all that a long one has, only more often.
	every := func(d time.Duration) time.Duration { return min(d, took/4) }
	var group sync.WaitGroup
	group.Go(func() { s.repeat(ctx, every(11*time.Second), s.killChild) })
	group.Go(func() { s.repeat(ctx, every(25*time.Second), s.restartRemote) })
	group.Go(func() { s.repeat(ctx, every(15*time.Second), s.reload) })
	group.Go(func() {
		s.repeat(ctx, every(5*time.Second), func() {
			if !s.p.gone() {
				s.sample("")
			}
		})
	})
	group.Go(func() { s.repeat(ctx, time.Minute, func() { t.Log(s.ledger.brief(time.Since(s.begun))) }) })
	for i := range 8 {
		group.Go(func() { s.sessions(ctx, fmt.Sprintf("session%d", i), i%2 == 0) })
	}
	for i := range 3 {
		group.Go(func() { s.rest(ctx, fmt.Sprintf("rest%d", i)) })
	}
	group.Wait()
	s.took = time.Since(s.begun)
	s.alive()
	s.putConfig(false)
	s.settle()
	s.quiet()
	s.sample("after")
	s.judge()
}

// soak is a gateway, what it mounts, and what is known of both.
type soak struct {
	*testing.T
	dir, config string
	p           *process
	url         string
	watcher     *httpClient
	remote      string // address of the server that is restarted
	killRemote  func()
	extended    bool // the configuration names two servers more
	begun       time.Time
	took        time.Duration
	ledger      ledger
	samples     samples
	incidents   struct{ kills, restarts, reloads int }
}

func newSoak(t *testing.T) *soak {
	s := &soak{T: t, dir: t.TempDir()}
	s.config = filepath.Join(s.dir, "webodar.json")
	s.remote, s.killRemote = startListeningAs(t, "", s.record("remote"), apart)
	steady, _ := startListeningAs(t, "", s.record("steady"), apart)
	s.ledger.servers = []string{"calm", "frail", "moody", "come", "doomed", "remote", "steady"}
	s.ledger.config = func(extended bool) string {
		const soon = `"health": {"interval": "1s", "timeout": "500ms"}, "restart": {"maxPerMinute": 100}`
		list := []string{
			`"calm": ` + scriptedServer(t, s.record("calm"), ""),
			`"frail": ` + scriptedServer(t, s.record("frail"), soon),
			`"moody": ` + scriptedServer(t, s.record("moody"), `"timeout": "1s", "breaker": {"openFor": "2s"}`),
			fmt.Sprintf(`"remote": {"url": "http://%s", %s}`, s.remote, soon),
			fmt.Sprintf(`"steady": {"url": "http://%s"}`, steady),
		}
		if extended {
			list = append(list, `"come": `+scriptedServer(t, s.record("come"), ""), `"doomed": `+scriptedServer(t, s.record("doomed"), ""))
		}
		return `{"timeouts": {"session": "5s"}, "mcpServers": {` + strings.Join(list, ",\n") + `}}`
	}
	s.write(false)
	cmd := exec.Command(binary, "serve", "--http", "127.0.0.1:0", "--config", s.config, "--log-file", filepath.Join(s.dir, "log"))
	cmd.SysProcAttr = apart
	s.p = launch(t, cmd)
	s.url = s.listening()
	s.watcher = newHTTPClient(t, s.url)
	return s
}

// record is the file in which a server notes what it does.
func (s *soak) record(server string) string { return filepath.Join(s.dir, server+".record") }

func (s *soak) write(extended bool) {
	s.extended = extended
	// As editors do: a new file in the place of the old.
	if err := os.WriteFile(s.config+".new", []byte(s.ledger.config(extended)), 0o600); err != nil {
		s.Error(err)
	}
	if err := os.Rename(s.config+".new", s.config); err != nil {
		s.Error(err)
	}
}

func (s *soak) putConfig(extended bool) {
	s.write(extended)
	_ = s.p.cmd.Process.Signal(syscall.SIGHUP) // if it is gone, all else says so
}

func (s *soak) reload() {
	s.putConfig(!s.extended)
	s.incidents.reloads++
}

func (s *soak) killChild() {
	for _, pid := range children(s.T, s.p.cmd.Process.Pid, s.record("frail")) {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have died by itself
		s.incidents.kills++
	}
}

// restartRemote leaves it away long enough for its tools to leave the list.
func (s *soak) restartRemote() {
	s.killRemote()
	time.Sleep(2 * time.Second)
	_, s.killRemote = startListeningAs(s.T, s.remote, s.record("remote"), apart)
	s.incidents.restarts++
}

// repeat runs f again and again, with a pause before each.
func (s *soak) repeat(ctx context.Context, pause time.Duration, f func()) {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			f()
		case <-ctx.Done():
			return
		}
	}
}

// sessions opens sessions, calls in them, and closes them or leaves them behind.
// Every other client has a stream open for what the server says by itself.
func (s *soak) sessions(ctx context.Context, name string, streams bool) {
	for n := 0; ctx.Err() == nil; n++ {
		c := newSoakClient(s.url)
		if err := c.open(); err != nil {
			s.ledger.wrong("%s: opening a session: %v", name, err)
		}
		listening, hangUp := context.WithCancel(ctx)
		var group sync.WaitGroup
		if streams {
			group.Go(func() { c.listen(listening) })
		}
		for i := range 20 + rand.IntN(40) {
			if !pause(ctx, 250*time.Millisecond) {
				break
			}
			s.call(c.rpc, fmt.Sprintf("%s.%d.%d", name, n, i))
		}
		if n%4 != 3 { // some never say goodbye
			if err := c.close(); err != nil {
				s.ledger.wrong("%s: closing a session: %v", name, err)
			}
		}
		hangUp()
		group.Wait()
		c.CloseIdleConnections()
	}
}

func (s *soak) rest(ctx context.Context, name string) {
	c := newSoakClient(s.url)
	defer c.CloseIdleConnections()
	for n := 0; pause(ctx, 250*time.Millisecond); n++ {
		s.call(c.rest, fmt.Sprintf("%s.%d", name, n))
	}
}

// pause waits for about d; false when ctx has ended.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d/2 + rand.N(d)):
		return true
	case <-ctx.Done():
		return false
	}
}

// soakTools are what is called, each as often as it stands here.
var soakTools = []struct {
	tool, args string
	weight     int
}{
	{"calm__count", `"for":"2ms"`, 20},
	{"steady__count", `"for":"2ms"`, 20},
	{"frail__count", `"for":"30ms"`, 20},
	{"remote__count", `"for":"30ms"`, 20},
	{"come__count", `"for":"2ms"`, 6},
	{"moody__count", `"for":"300ms"`, 6},
	{"moody__fail", "", 2},
	{"moody__reject", "", 2},
	{"moody__garbage", "", 1},
	{"moody__mute", "", 2},
	{"moody__log", "", 2},
	{"moody__nothing", "", 1},
	{"frail__read", "", 4},
	{"remote__read", "", 4},
	{"remote__status500", "", 1},
	{"frail__die", "", 1},
	{"doomed__die", "", 1},
	{"doomed__count", `"for":"2ms"`, 2},
	{"steady__steps", `"for":"100ms"`, 2},
	{"encodePlantUML", `"plantumlCode":"A -> B"`, 4},
}

// call calls some tool, and one time in thirty leaves before the answer.
func (s *soak) call(send func(ctx context.Context, tool, args string) (string, error), id string) {
	total := 0
	for _, t := range soakTools {
		total += t.weight
	}
	chosen, pick := soakTools[0], rand.IntN(total)
	for _, t := range soakTools {
		if pick -= t.weight; pick < 0 {
			chosen = t
			break
		}
	}
	args := fmt.Sprintf(`{"id":%q}`, id)
	if chosen.args != "" {
		args = fmt.Sprintf(`{"id":%q,%s}`, id, chosen.args)
	}
	limit := patience
	if rand.IntN(30) == 0 {
		limit = rand.N(40 * time.Millisecond)
	}
	// Its own, so that the end of the soak is the end of no call.
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	outcome, err := send(ctx, chosen.tool, args)
	if err != nil && limit < patience && ctx.Err() != nil {
		outcome, err = "the client left", nil
	}
	s.ledger.enter(chosen.tool, id, outcome, err)
}

// get returns what a path answers, and fails the test when it does not.
func (s *soak) get(path string) string {
	s.Helper()
	res, text := s.watcher.do(s.T, http.MethodGet, path, "")
	if res.StatusCode != http.StatusOK {
		s.Fatalf("GET %s: %s %s", path, res.Status, text)
	}
	return text
}
