package scripted

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// variable makes a test binary a server.
const variable = "SCRIPTED_UPSTREAM"

// Environment is what makes a test binary a server.
func Environment() (name, value string) { return variable, "1" }

// options are the server's flags.
type options struct {
	http    string        // address; empty serves stdio
	record  string        // file that gets a line for each thing that was done
	delay   time.Duration // before initialize is answered
	refuse  bool          // initialize
	mute    bool          // initialize is not answered
	noise   bool          // a banner on stdout, where only messages belong
	version string        // of the protocol
	failing string        // a file; while it exists the process ends at start
	tools   int           // further tools, for long lists
	dup     string        // a further tool of this name
}

// MainIfAsked serves and ends the process if the environment says so.
func MainIfAsked() {
	if os.Getenv(variable) == "" {
		return
	}
	o := &options{}
	flag.StringVar(&o.http, "http", "", "")
	flag.StringVar(&o.record, "record", "", "")
	flag.DurationVar(&o.delay, "delay", 0, "")
	flag.BoolVar(&o.refuse, "refuse", false, "")
	flag.BoolVar(&o.mute, "mute", false, "")
	flag.BoolVar(&o.noise, "noise", false, "")
	flag.StringVar(&o.version, "version", "2025-11-25", "")
	flag.StringVar(&o.failing, "failing", "", "")
	flag.IntVar(&o.tools, "tools", 0, "")
	flag.StringVar(&o.dup, "dup", "", "")
	flag.Parse()
	s := &server{options: o, cancels: map[string]func(){}, sessions: map[string]bool{}}
	if _, err := os.Stat(o.failing); o.failing != "" && err == nil {
		fmt.Fprintln(os.Stderr, "scripted: told to fail; the token is", os.Getenv("SCRIPTED_TOKEN"))
		os.Exit(3)
	}
	s.note("start")
	if o.http == "" {
		s.stdio(os.Stdin, os.Stdout)
		os.Exit(0)
	}
	l, err := net.Listen("tcp", o.http)
	if err != nil {
		fmt.Fprintln(os.Stderr, "scripted:", err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "scripted: listening on", l.Addr())
	fmt.Fprintln(os.Stderr, "scripted:", http.Serve(l, s))
	os.Exit(1)
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
}

type server struct {
	*options
	mu       sync.Mutex
	cancels  map[string]func()
	sessions map[string]bool
	serial   int
	removed  bool // a tool has left the list
	asked    sync.Map
}

// note records that something was done, for tests that count.
func (s *server) note(what string) {
	if s.record == "" {
		return
	}
	f, err := os.OpenFile(s.record, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintln(f, what)
}

func (s *server) stdio(in io.Reader, out io.Writer) {
	var mu sync.Mutex
	send := func(text string) {
		mu.Lock()
		defer mu.Unlock()
		if _, err := io.WriteString(out, text+"\n"); err != nil {
			os.Exit(1)
		}
	}
	if s.noise {
		send("Welcome to the scripted server!\n{\"level\":\"info\",\"msg\":\"a log line that is JSON\"}")
	}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			continue
		}
		if m.Method == "" {
			if ch, ok := s.asked.LoadAndDelete(string(m.ID)); ok {
				ch.(chan json.RawMessage) <- m.Result
			}
			continue
		}
		if m.ID == nil { // in order
			s.handle(&m, send)
			continue
		}
		go s.handle(&m, send)
	}
}

// ServeHTTP implements [http.Handler].
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get("Mcp-Session-Id")
	switch {
	case r.Method == http.MethodDelete:
		s.mu.Lock()
		delete(s.sessions, id)
		s.mu.Unlock()
		s.note("delete")
		return
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var m message
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	if m.Method == "initialize" {
		s.serial++
		id = fmt.Sprintf("s%d-%d", os.Getpid(), s.serial)
		s.sessions[id] = true
		w.Header().Set("Mcp-Session-Id", id)
	}
	known := s.sessions[id]
	s.mu.Unlock()
	switch {
	case !known:
		http.Error(w, "no such session", http.StatusNotFound)
	case m.Method == "":
		if ch, ok := s.asked.LoadAndDelete(string(m.ID)); ok {
			ch.(chan json.RawMessage) <- m.Result
		}
		w.WriteHeader(http.StatusAccepted)
	case m.ID == nil:
		s.handle(&m, func(string) {})
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "tools/call" && strings.Contains(string(m.Params), `"status500"`):
		s.note("status500")
		http.Error(w, "it hurts", http.StatusInternalServerError)
	default:
		// As a stream, in which a message may come before the answer.
		w.Header().Set("Content-Type", "text/event-stream")
		var mu sync.Mutex
		var over bool // w is for this handler's time alone
		done := make(chan struct{})
		var once sync.Once
		go s.handleUntil(&m, func(text string) {
			mu.Lock()
			defer mu.Unlock()
			if over {
				return
			}
			fmt.Fprintf(w, "data: %s\n\n", strings.ReplaceAll(text, "\n", "\ndata: "))
			_ = http.NewResponseController(w).Flush()
		}, func() { once.Do(func() { close(done) }) })
		select {
		case <-done:
		case <-r.Context().Done():
			s.cancel(string(m.ID), "left")
		}
		mu.Lock()
		defer mu.Unlock()
		over = true
	}
}

func (s *server) handleUntil(m *message, send func(string), done func()) {
	defer done()
	s.handle(m, send)
}

func (s *server) cancel(id, how string) {
	s.mu.Lock()
	cancel := s.cancels[id]
	s.mu.Unlock()
	if cancel != nil {
		s.note("cancelled " + how)
		cancel()
	}
}
