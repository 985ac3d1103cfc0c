package load

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/webodar/webodar/bench/internal/sample"
	"github.com/webodar/webodar/encoder"
)

func link(t *testing.T, text string) string {
	t.Helper()
	url, _, err := encoder.URL(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return url
}

func TestCheckerRefusesOtherDiagrams(t *testing.T) {
	right, wrong := link(t, sample.Diagram), link(t, "@startuml\n@enduml")
	var c checker
	if err := c.check([]byte(`{"url":"` + wrong + `"}`)); err == nil {
		t.Error("another diagram's link passed")
	}
	if err := c.check([]byte(`{"url":"` + right + `"}`)); err != nil {
		t.Error(err)
	}
	if err := c.check([]byte(`{"error":"busy"}`)); err == nil {
		t.Error("an answer without a link passed")
	}
}

func TestAnswerID(t *testing.T) {
	for text, want := range map[string]int{
		`{"jsonrpc":"2.0","id":12,"result":{}}`:                          12,
		`{"result":{},"jsonrpc":"2.0","id":7}`:                           7,
		"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":3,\"r\":1}\n": 3,
	} {
		if id, ok := answerID([]byte(text)); !ok || id != want {
			t.Errorf("%s: %d, %v", text, id, ok)
		}
	}
	if _, ok := answerID([]byte(`{"method":"notifications/message"}`)); ok {
		t.Error("a notification has an id")
	}
}

func TestHTTPChecksAnswers(t *testing.T) {
	url, calls := link(t, sample.Diagram), 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			ID     int
			Params struct{ Arguments struct{ PlantumlCode string } }
		}
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil || call.Params.Arguments.PlantumlCode != sample.Diagram {
			t.Errorf("call %+v: %v", call, err)
		}
		if calls++; calls == 5 {
			call.ID = 0
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"result":%q}`, call.ID, url)
	}))
	defer server.Close()
	h := NewSessionless(strings.TrimPrefix(server.URL, "http://"), "/mcp", 1)
	defer h.Close()
	_, err := h.Run(context.Background(), 10*time.Second)
	if err == nil || calls != 5 {
		t.Errorf("%d calls, %v", calls, err)
	}
	s, err := h.Run(context.Background(), 20*time.Millisecond)
	if err != nil || s.Ops == 0 || s.P99 < s.P50 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestFlateWritesCodes(t *testing.T) {
	if _, err := Codes([]string{sample.Diagram, "", "Bob -> Alice : ü"}, Flate()); err != nil {
		t.Error(err)
	}
}

func TestEncodeCounts(t *testing.T) {
	run := Encode([]string{"a", "b"}, func(string) (string, error) { return "", nil })
	if s, err := run(context.Background(), time.Millisecond); err != nil || s.Ops%20 != 0 || s.Time < time.Millisecond {
		t.Errorf("%+v, %v", s, err)
	}
	run = Encode([]string{"a"}, func(string) (string, error) { return "", io.ErrShortWrite })
	if _, err := run(context.Background(), time.Second); err == nil {
		t.Error("an error was lost")
	}
}
