package httpbody_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/httpbody"
)

// serve reads bodies of up to 10 bytes within 50 ms and answers with what came
// of it.
func serve(t *testing.T) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := httpbody.Read(w, r, &httpbody.Limits{Bytes: 10, Time: 50 * time.Millisecond})
		if err != nil {
			httpbody.Drain(w, r, err)
			fmt.Fprint(w, err.Type)
			return
		}
		fmt.Fprintf(w, "%q", body)
	}))
	t.Cleanup(srv.Close)
	return srv.Listener.Addr().String()
}

func TestRead(t *testing.T) {
	addr := serve(t)
	for _, tt := range []struct {
		name, request, want string
		closed              bool // whether the connection ends with the answer
	}{
		{"none", "Content-Length: 0\r\n\r\n", `""`, false},
		{"at the limit", "Content-Length: 10\r\n\r\n0123456789", `"0123456789"`, false},
		{"over the limit", "Content-Length: 11\r\n\r\n01234567890", string(catalog.RequestTooLarge), true},
		{"chunks at the limit", "Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n", `"0123456789"`, false},
		{"chunks over the limit", "Transfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n5\r\n67890\r\n0\r\n\r\n", string(catalog.RequestTooLarge), true},
		{"broken chunks", "Transfer-Encoding: chunked\r\n\r\nzz\r\n", string(catalog.InvalidRequestError), true},
		{"too slow", "Content-Length: 10\r\n\r\n0123", string(catalog.ConnectionTimeout), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprint(conn, "POST / HTTP/1.1\r\nHost: x\r\n"+tt.request)
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]any{tt.want, tt.closed}, []any{string(body), res.Close}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A limit of the handler's own stands even where the writer has no deadlines.
func TestReadWithoutConnection(t *testing.T) {
	own := &catalog.Error{Code: "OWN"}
	r := httptest.NewRequest("POST", "/", strings.NewReader("0123456789"))
	_, err := httpbody.Read(httptest.NewRecorder(), r, &httpbody.Limits{Bytes: 5, TooLarge: own})
	if err != own {
		t.Errorf("got %v", err)
	}
}
