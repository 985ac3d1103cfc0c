package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// soakClient is a client that reports what goes wrong instead of failing a test,
// since it works on goroutines of its own.
type soakClient struct {
	*http.Client
	url     string
	session string
	serial  int
}

func newSoakClient(url string) *soakClient {
	return &soakClient{Client: &http.Client{Transport: &http.Transport{}}, url: url}
}

// do sends a request and reads its answer; of an event stream, the last event.
func (c *soakClient) do(ctx context.Context, method, path, body string) (*http.Response, string, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
		req.Header.Set("Mcp-Protocol-Version", latestSession)
	}
	res, err := c.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, "", err
	}
	answer := string(text)
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		for line := range strings.Lines(string(text)) {
			if data, ok := strings.CutPrefix(line, "data:"); ok {
				answer = strings.TrimSpace(data)
			}
		}
	}
	return res, answer, nil
}

func (c *soakClient) open() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	res, text, err := c.do(ctx, http.MethodPost, "/mcp", initialize(latestSession))
	if err != nil {
		return err
	}
	if c.session = res.Header.Get("Mcp-Session-Id"); c.session == "" {
		return fmt.Errorf("no session: %s %s", res.Status, text)
	}
	_, _, err = c.do(ctx, http.MethodPost, "/mcp", initialized)
	return err
}

func (c *soakClient) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	res, text, err := c.do(ctx, http.MethodDelete, "/mcp", "")
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s", res.Status, text)
	}
	return err
}

// listen holds the session's stream open until ctx or the session ends.
func (c *soakClient) listen(ctx context.Context) {
	_, _, _ = c.do(ctx, http.MethodGet, "/mcp", "") // it ends in the middle, by intent
}

// rpc calls a tool over MCP and says what came of it.
func (c *soakClient) rpc(ctx context.Context, tool, args string) (string, error) {
	c.serial++
	_, text, err := c.do(ctx, http.MethodPost, "/mcp", fmt.Sprintf(
		`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":%d}}}`, c.serial, tool, args, c.serial))
	if err != nil {
		return "", err
	}
	var a struct {
		ID     int `json:"id"`
		Result *struct {
			IsError bool              `json:"isError"`
			Content []json.RawMessage `json:"content"`
		} `json:"result"`
		Error *struct {
			Code int `json:"code"`
			Data struct {
				Type string `json:"type"`
			} `json:"data"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	switch {
	case a.ID != c.serial:
	case a.Error != nil && a.Error.Data.Type != "":
		return a.Error.Data.Type, nil
	case a.Error != nil && a.Error.Code == rejected:
		return "the server's own error", nil
	case a.Result != nil && a.Result.IsError:
		return "the tool's own failure", nil
	case a.Result != nil && len(a.Result.Content) > 0:
		return result, nil
	}
	return "", errors.New(text)
}

const (
	// result is the outcome of a call that was executed.
	result = "result"
	// rejected is the code with which the scripted server refuses.
	rejected = -32050
)

// rest calls a tool over REST and says what came of it.
func (c *soakClient) rest(ctx context.Context, tool, args string) (string, error) {
	res, text, err := c.do(ctx, http.MethodPost, "/api/tools/"+tool, args)
	if err != nil {
		return "", err
	}
	var a struct {
		Success bool            `json:"success"`
		Result  json.RawMessage `json:"result"`
		Error   struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	switch {
	case a.Success && res.StatusCode == http.StatusOK && a.Result != nil:
		return result, nil
	case a.Error.Code == "TOOL_FAILED":
		return "the tool's own failure", nil
	case !a.Success && res.StatusCode >= 400 && a.Error.Code != "" && a.Error.Message != "":
		return "REST " + a.Error.Code, nil
	}
	return "", fmt.Errorf("%s %s", res.Status, text)
}
