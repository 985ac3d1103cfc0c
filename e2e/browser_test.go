package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	cdpnetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// browser is a Chromium with one tab, in which everything is noticed that a picture
// has no business doing. Whatever host a page names is a listener of the test's.
type browser struct {
	tab   context.Context
	site  string       // the address of the pages that are shown
	files http.Handler // what else there is, if anything

	mu      sync.Mutex
	pages   map[string]served // by path
	allowed map[string]bool   // the URLs that the present visit may request
	alarms  []string
}

// favicon is what a browser asks for by itself.
const favicon = "/favicon.ico"

type served struct{ kind, body string }

// startBrowser skips the test where there is no Chromium, unless it is required.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := chromium(t)
	b := &browser{pages: map[string]served{favicon: {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`}}}
	site := httptest.NewServer(http.HandlerFunc(b.serve))
	t.Cleanup(site.Close)
	b.site = site.URL
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.Host, ".example") { // and not Chromium's own
			b.alarm("a request reached http://%s%s", r.Host, r.URL)
		}
	}))
	t.Cleanup(elsewhere.Close)

	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Headless,
		chromedp.Flag("no-proxy-server", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("font-render-hinting", "none"), chromedp.Flag("force-device-scale-factor", "1"),
		chromedp.Flag("host-resolver-rules", "MAP * "+strings.TrimPrefix(elsewhere.URL, "http://")+", EXCLUDE 127.0.0.1"),
		chromedp.WindowSize(1000, 800))
	// Not t.Context(), which ends before the cleanup can close the browser properly.
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	b.tab, _ = chromedp.NewContext(allocator) // ended by Cancel
	t.Cleanup(func() {
		if err := chromedp.Cancel(b.tab); err != nil {
			t.Errorf("closing Chromium: %v", err)
		}
	})
	if err := b.listen(); err != nil {
		t.Fatalf("starting Chromium: %v", err)
	}
	return b
}

// listen starts the browser and has it tell what happens.
func (b *browser) listen() error {
	if err := chromedp.Listen(b.tab, b.notice); err != nil {
		return err
	}
	if err := chromedp.ListenBrowser(b.tab, func(event any) {
		if e, ok := event.(*target.EventTargetCreated); ok && e.TargetInfo.OpenerID != "" {
			b.alarm("another tab was opened: %s", e.TargetInfo.URL)
		}
	}); err != nil {
		return err
	}
	_, err := chromedp.CallBrowser(b.tab, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true})
	return errors.Join(err, enable(b.tab, cdpnetwork.Enable), enable(b.tab, page.Enable), enable(b.tab, runtime.Enable), enable(b.tab, log.Enable))
}

func enable[P any](ctx context.Context, domain cdp.Command[P, cdp.Empty]) error {
	var none P
	_, err := chromedp.Call(ctx, domain, none)
	return err
}

// chromium finds the browser. It is no part of what make setup fetches, so where there
// is none the test is skipped, in CI too, unless WEBODAR_CHROMIUM is "required".
func chromium(t *testing.T) string {
	t.Helper()
	asked := os.Getenv("WEBODAR_CHROMIUM")
	for _, name := range []string{asked, "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const missing = "there is no Chromium on the PATH, and WEBODAR_CHROMIUM names none"
	if asked == "required" {
		t.Fatal(missing)
	}
	fmt.Fprintf(os.Stderr, "SKIPPED %s: %s\n", t.Name(), missing)
	t.Skip("SKIPPED: " + missing)
	return ""
}

func (b *browser) serve(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	p, ok := b.pages[r.URL.Path]
	b.mu.Unlock()
	if !ok && b.files != nil {
		b.files.ServeHTTP(w, r)
		return
	}
	if !ok {
		http.NotFound(w, r) // which URLs may be asked for is seen in the browser
		return
	}
	w.Header().Set("Content-Type", p.kind)
	fmt.Fprint(w, p.body)
}

// put makes body what path shows, and returns its URL.
func (b *browser) put(path, kind, body string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pages[path] = served{kind, body}
	return b.site + path
}

// visit opens url and gives what script comes to there. The alarms are those since the
// visit began; besides url, only what is in also may be requested.
func visit[T any](t *testing.T, b *browser, url, script string, also ...string) (result T, alarms []string) {
	t.Helper()
	b.mu.Lock()
	b.alarms, b.allowed = nil, map[string]bool{url: true, b.site + favicon: true}
	for _, u := range also {
		b.allowed[u] = true
	}
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(b.tab, patience)
	defer cancel()
	err := chromedp.Do(ctx, chromedp.Navigate(url))
	if err == nil {
		result, err = chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	}
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return result, slices.Clone(b.alarms)
}

func (b *browser) alarm(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.alarms = append(b.alarms, fmt.Sprintf(format, args...))
}

// notice turns events into alarms.
func (b *browser) notice(event any) {
	switch e := event.(type) {
	case *cdpnetwork.EventRequestWillBeSent:
		b.mu.Lock()
		fine := b.allowed[e.Request.URL]
		b.mu.Unlock()
		if !fine {
			b.alarm("requested: %.200s", e.Request.URL)
		}
	case *cdpnetwork.EventWebSocketCreated:
		b.alarm("opened a socket: %s", e.URL)
	case *page.EventJavascriptDialogOpening:
		b.alarm("dialog: %s", e.Message)
		go func() { // not on the goroutine that has to read the answer
			if _, err := chromedp.Call(b.tab, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{}); err != nil {
				b.alarm("closing a dialog: %v", err)
			}
		}()
	case *page.EventFrameNavigated:
		b.mu.Lock()
		fine := b.allowed[e.Frame.URL] || e.Frame.URL == "about:blank"
		b.mu.Unlock()
		if !fine || e.Frame.ParentID != "" {
			b.alarm("a frame went to %.200s", e.Frame.URL)
		}
	case *page.EventWindowOpen:
		b.alarm("a window was opened: %s", e.URL)
	case *runtime.EventConsoleAPICalled:
		b.alarm("console.%s was called", e.Type)
	case *runtime.EventExceptionThrown:
		b.alarm("exception: %s", e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		b.alarm("the browser's console says: %s: %s", e.Entry.Level, e.Entry.Text)
	}
}
