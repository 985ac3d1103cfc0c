package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/webodar/webodar/internal/gateway/scripted"
)

// door is one way in: a message goes in, the one that answers it comes out.
type door interface {
	// ask sends a request and returns its answer; id is the request's, as JSON.
	ask(t *testing.T, id, text string) string
	// tell sends what has no answer.
	tell(t *testing.T, text string)
}

// stdioDoor reads what comes, in whatever order, and keeps what nobody asked for.
type stdioDoor struct {
	p     *process
	mu    sync.Mutex
	lines []string
	more  chan struct{}
	ended bool
}

func newStdioDoor(t *testing.T, p *process, hello string) *stdioDoor {
	t.Helper()
	d := &stdioDoor{p: p, more: make(chan struct{})}
	go d.read()
	d.ask(t, `"init"`, hello)
	d.tell(t, initialized)
	return d
}

// read keeps what comes until the end.
func (d *stdioDoor) read() {
	for {
		line, err := d.p.out.ReadString('\n')
		d.mu.Lock()
		if line != "" {
			d.lines = append(d.lines, strings.TrimSuffix(line, "\n"))
		}
		d.ended = err != nil
		close(d.more)
		d.more = make(chan struct{})
		d.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// await takes the first line that fits.
func (d *stdioDoor) await(t *testing.T, what string, fits func(string) bool) string {
	t.Helper()
	deadline := time.After(patience)
	for {
		d.mu.Lock()
		for i, line := range d.lines {
			if fits(line) {
				d.lines = append(d.lines[:i:i], d.lines[i+1:]...)
				d.mu.Unlock()
				return line
			}
		}
		more, ended := d.more, d.ended
		d.mu.Unlock()
		if ended {
			t.Fatalf("the output ended before %s", what)
		}
		select {
		case <-more:
		case <-deadline:
			t.Fatalf("no %s came", what)
		}
	}
}

func (d *stdioDoor) ask(t *testing.T, id, text string) string {
	t.Helper()
	d.tell(t, text)
	return d.answer(t, id)
}

func (d *stdioDoor) answer(t *testing.T, id string) string {
	t.Helper()
	return d.await(t, "answer to "+id, func(line string) bool {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		return json.Unmarshal([]byte(line), &m) == nil && m.Method == "" && string(m.ID) == id
	})
}

func (d *stdioDoor) tell(t *testing.T, text string) {
	t.Helper()
	d.p.write(t, text+"\n")
}

type httpDoor struct{ c *httpClient }

func (d *httpDoor) ask(t *testing.T, _, text string) string {
	t.Helper()
	_, answer := d.c.rpc(t, text)
	return answer
}

func (d *httpDoor) tell(t *testing.T, text string) {
	t.Helper()
	d.c.rpc(t, text)
}

// scripted server as the configuration has it. more are further members.
func scriptedServer(t *testing.T, record, more string, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(append([]string{"-record", record}, args...))
	if err != nil {
		t.Fatal(err)
	}
	name, value := scripted.Environment()
	text := fmt.Sprintf(`"command": %q, "args": %s, "env": {%q: %q}`, self, list, name, value)
	if more != "" {
		text += ", " + more
	}
	return "{" + text + "}"
}

// startListening starts a scripted server on an address of its own choice, or addr.
func startListening(t *testing.T, addr, record string) (string, func()) {
	t.Helper()
	return startListeningAs(t, addr, record, nil)
}

// startListeningAs is startListening with attributes for the process.
func startListeningAs(t *testing.T, addr, record string, attributes *syscall.SysProcAttr) (string, func()) {
	t.Helper()
	if addr == "" {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr = l.Addr().String()
		l.Close()
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-http", addr, "-record", record)
	name, value := scripted.Environment()
	cmd.Env = append(os.Environ(), name+"="+value)
	cmd.SysProcAttr = attributes
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
	})
	t.Cleanup(kill)
	eventually(t, "the scripted server listens", func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	return addr, kill
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", patience, what)
		}
	}
}

func configFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "webodar.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// story is one scenario on one door.
type story struct {
	*testing.T
	door   door
	stdio  *stdioDoor  // of door, when it is that
	http   *httpClient // when there is a listener
	p      *process
	config string // the file
	record string // what the scripted server s notes
	serial int
	steps  []step
}

// step is one line of the document.
type step struct{ sent, came string }

// tells adds a line to the document.
func (s *story) tells(sent, came string) { s.steps = append(s.steps, step{sent, came}) }

// request sends a request under a fresh id.
func (s *story) request(method, params string) (sent, came string) {
	s.Helper()
	s.serial++
	sent = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q`, s.serial, method)
	if params != "" {
		sent += `,"params":` + params
	}
	sent += "}"
	return sent, s.door.ask(s.T, fmt.Sprint(s.serial), sent)
}

// call calls a tool and puts both sides into the document.
func (s *story) call(tool, args string) *answer {
	s.Helper()
	sent, came := s.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args))
	s.tells(sent, came)
	return parseAnswer(s.T, came)
}

// raw sends a text as it is; the answer has the id.
func (s *story) raw(id, text string) *answer {
	s.Helper()
	came := s.door.ask(s.T, id, text)
	s.tells(text, came)
	return parseAnswer(s.T, came)
}

// fails expects a JSON-RPC error.
func (s *story) fails(a *answer, code int, kind string, data ...string) map[string]any {
	s.Helper()
	if a.Error == nil || a.Error.Code != code || a.Error.Data["type"] != kind {
		s.Fatalf("%s, %+v; want %d %s", a.Result, a.Error, code, kind)
	}
	for _, name := range data {
		if _, ok := a.Error.Data[name]; !ok {
			s.Errorf("no %s in %v", name, a.Error.Data)
		}
	}
	return a.Error.Data
}

// refuses expects a result that says what is wrong with the arguments.
func (s *story) refuses(a *answer, kind string) []any {
	s.Helper()
	var result struct {
		IsError    bool `json:"isError"`
		Structured struct {
			Error map[string]any `json:"error"`
		} `json:"structuredContent"`
	}
	unmarshal(s.T, string(a.Result), &result)
	if !result.IsError || result.Structured.Error["type"] != kind {
		s.Fatalf("%s; want %s", a.Result, kind)
	}
	fields, _ := result.Structured.Error["fields"].([]any)
	return fields
}

// works expects a result that holds text.
func (s *story) works(tool, args, text string) {
	s.Helper()
	sent, came := s.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args))
	if a := parseAnswer(s.T, came); a.Error != nil || !strings.Contains(string(a.Result), text) {
		s.Fatalf("%s gave %.500s; want %q", sent, came, text)
	}
}

// pings shows that the connection is open.
func (s *story) pings() {
	s.Helper()
	if _, came := s.request("ping", ""); parseAnswer(s.T, came).Error != nil {
		s.Fatalf("a ping failed: %s", came)
	}
}

func (s *story) recorded(line string) int {
	s.Helper()
	text, err := os.ReadFile(s.record)
	if err != nil && !os.IsNotExist(err) {
		s.Fatal(err)
	}
	return strings.Count("\n"+strings.ReplaceAll(string(text), "\n", "\n\n"), "\n"+line+"\n")
}

func (s *story) logs(pattern string) {
	s.Helper()
	re := regexp.MustCompile(pattern)
	eventually(s.T, "the log has "+pattern, func() bool { return re.MatchString(s.p.log.String()) })
}

func (s *story) get(path string) string {
	s.Helper()
	res, text := s.http.do(s.T, http.MethodGet, path, "")
	if res.StatusCode != http.StatusOK {
		s.Fatalf("GET %s: %s %s", path, res.Status, text)
	}
	return text
}

// dial opens a bare connection to the listener.
func (s *story) dial() net.Conn {
	s.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.http.url, "http://"))
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		s.Fatal(err)
	}
	return c
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
