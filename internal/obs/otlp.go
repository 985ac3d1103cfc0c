package obs

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/webodar/webodar/internal/catalog"
)

// otlpClient posts spans to a collector (OTLP 1.x over HTTP, protobuf). The
// official otlptracehttp does that too, and brings all of gRPC along, which would
// make this program a fifth larger.
type otlpClient struct {
	endpoint *url.URL
	headers  map[string]string
	timeout  time.Duration
	gzip     bool
	http     *http.Client
	agent    string

	closing chan struct{}   // closed when the program ends: no more retries
	alive   context.Context // ends uploads
	end     context.CancelFunc
}

const (
	otlpAttempts = 4
	otlpTimeout  = 10 * time.Second // as the specification has it
)

// newOTLPClient reads the variables of the OTLP exporter.
func newOTLPClient(version string) (*otlpClient, error) {
	if p := otlpVariable("PROTOCOL"); p != "" && p != "http/protobuf" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL: %q is not supported; use http/protobuf, at the collector's port 4318", p)
	}
	c := &otlpClient{
		timeout: otlpTimeout, headers: map[string]string{}, agent: "webodar/" + version, closing: make(chan struct{}),
		http: &http.Client{
			Transport: http.DefaultTransport.(*http.Transport).Clone(),
			// Headers hold secrets, which are for this host alone.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	var err error
	if c.endpoint, err = otlpEndpoint(); err != nil {
		return nil, err
	}
	if text := otlpVariable("TIMEOUT"); text != "" {
		ms, err := strconv.Atoi(text)
		if err != nil || ms <= 0 {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_TIMEOUT: %q: want milliseconds, above zero", text)
		}
		c.timeout = time.Duration(ms) * time.Millisecond
	}
	switch text := otlpVariable("COMPRESSION"); text {
	case "", "none":
	case "gzip":
		c.gzip = true
	default:
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_COMPRESSION: %q is not supported; use gzip or none", text)
	}
	for _, prefix := range []string{"OTEL_EXPORTER_OTLP_", "OTEL_EXPORTER_OTLP_TRACES_"} { // the second adds to the first
		if err := c.addHeaders(prefix + "HEADERS"); err != nil {
			return nil, err
		}
	}
	if err := c.addCertificates(); err != nil {
		return nil, err
	}
	c.alive, c.end = context.WithCancel(context.Background())
	return c, nil
}

// otlpEndpoint is the URL that traces are posted to.
func otlpEndpoint() (*url.URL, error) {
	name, path := "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", ""
	text := os.Getenv(name)
	if text == "" {
		name, path = "OTEL_EXPORTER_OTLP_ENDPOINT", "/v1/traces"
		if text = os.Getenv(name); text == "" {
			text = "http://localhost:4318"
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%s: want a URL such as http://127.0.0.1:4318", name) // what it is may hold a password
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + path
	return u, nil
}

// addHeaders reads key=value pairs, separated by commas, values with %-escapes.
func (c *otlpClient) addHeaders(variable string) error {
	for pair := range strings.SplitSeq(os.Getenv(variable), ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || err != nil || name == "" || strings.ContainsAny(name+value, "\r\n\x00") {
			return fmt.Errorf("%s: want name=value, separated by commas, as in api-key=secret", variable)
		}
		c.headers[name] = value
	}
	return nil
}

// addCertificates reads files in PEM for TLS.
func (c *otlpClient) addCertificates() error {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if file := otlpVariable("CERTIFICATE"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return errors.New("OTEL_EXPORTER_OTLP_CERTIFICATE: the file holds no certificate in PEM")
		}
	}
	if file := otlpVariable("CLIENT_CERTIFICATE"); file != "" {
		pair, err := tls.LoadX509KeyPair(file, otlpVariable("CLIENT_KEY"))
		if err != nil {
			return fmt.Errorf("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	c.http.Transport.(*http.Transport).TLSClientConfig = config
	return nil
}

// Start implements otlptrace.Client.
func (c *otlpClient) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *otlpClient) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. It tries again, for as long as the
// time-out allows, where the specification says so.
func (c *otlpClient) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	defer context.AfterFunc(c.alive, cancel)()
	// The same bytes as an ExportTraceServiceRequest.
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return fmt.Errorf("encoding spans: %w", err)
	}
	if c.gzip {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err = w.Write(body)
		if err := errors.Join(err, w.Close()); err != nil { // into memory
			return err
		}
		body = b.Bytes()
	}
	waits := backoff.NewExponentialBackOff()
	for attempt := 1; ; attempt++ {
		wait, err := c.post(ctx, body)
		if err == nil || wait < 0 || attempt == otlpAttempts {
			return err
		}
		select {
		case <-time.After(max(wait, waits.NextBackOff())):
		case <-c.closing:
			return err
		case <-ctx.Done():
			return err
		}
	}
}

// post is one attempt. wait is below zero when there is no use in another.
func (c *otlpClient) post(ctx context.Context, body []byte) (wait time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint.String(), bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	req.Header.Set("User-Agent", c.agent)
	if c.gzip {
		req.Header.Set("Content-Encoding", "gzip")
	}
	for name, value := range c.headers {
		req.Header.Set(name, value)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10)) // what is missing is only told less of
	switch {
	case res.StatusCode/100 == 2:
		return -1, rejectedSpans(text)
	case res.StatusCode == http.StatusTooManyRequests, res.StatusCode == http.StatusBadGateway,
		res.StatusCode == http.StatusServiceUnavailable, res.StatusCode == http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(res.Header.Get("Retry-After")) // a date is as good as nothing
		return time.Duration(max(seconds, 0)) * time.Second, fmt.Errorf("the collector answered with status %s", res.Status)
	}
	return -1, fmt.Errorf("the collector answered with status %s: %s", res.Status, catalog.Clip(strings.ToValidUTF8(string(text), "?"), 200))
}

// rejectedSpans reads an ExportTraceServiceResponse: its partial_success (1) has
// rejected_spans (1) and error_message (2).
func rejectedSpans(response []byte) error {
	var count uint64
	var why string
	fields(response, func(number protowire.Number, _ uint64, text []byte) {
		if number == 1 {
			fields(text, func(number protowire.Number, value uint64, text []byte) {
				switch number {
				case 1:
					count = value
				case 2:
					why = string(text)
				}
			})
		}
	})
	if count == 0 {
		return nil
	}
	return fmt.Errorf("the collector rejected %d spans: %s", count, catalog.Clip(why, 200))
}

// fields goes over the numbers and texts of a message, up to what is none.
func fields(message []byte, each func(number protowire.Number, value uint64, text []byte)) {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return
		}
		message = message[n:]
		var value uint64
		var text []byte
		switch kind {
		case protowire.VarintType:
			value, n = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			text, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return
		}
		message = message[n:]
		each(number, value, text)
	}
}
