package paint_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// chromium is a browser that takes pictures of SVGs. It is spoken to over a pipe, in
// the DevTools protocol, so that the tests need nothing but the program.
type chromium struct {
	in      *os.File
	out     *bufio.Reader
	session string
	frame   string
	id      int
}

// startChromium gives nil where there is no Chromium.
func startChromium(t testing.TB) *chromium {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		return nil
	}
	toR, toW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromR, fromW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1",
		"--font-render-hinting=none", "--disable-lcd-text", "--no-first-run", "--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	cmd.Env = append(os.Environ(), "FONTCONFIG_FILE="+unhinted(t))
	cmd.ExtraFiles = []*os.File{toR, fromW}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toR.Close()
	fromW.Close()
	c := &chromium{in: toW, out: bufio.NewReader(fromR)}
	t.Cleanup(func() {
		c.tell(t, "Browser.close", nil, nil)
		toW.Close()
		fromR.Close()
		cmd.Wait() // how it ends does not matter
	})
	var target struct{ TargetID string }
	c.tell(t, "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	c.tell(t, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	c.session = attached.SessionID
	var tree struct {
		FrameTree struct{ Frame struct{ ID string } }
	}
	c.tell(t, "Page.getFrameTree", nil, &tree)
	c.frame = tree.FrameTree.Frame.ID
	return c
}

// unhinted writes settings under which fonts are not fitted to the pixels of a screen,
// which is a matter of the machine and not of the picture.
func unhinted(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fonts.conf")
	const settings = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<match target="pattern"><edit name="hinting" mode="assign"><bool>false</bool></edit></match>
<match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit></match></fontconfig>`
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// tell sends a command and waits for its answer.
func (c *chromium) tell(t testing.TB, method string, params, answer any) {
	t.Helper()
	c.id++
	msg := map[string]any{"id": c.id, "method": method}
	if params != nil {
		msg["params"] = params
	}
	if c.session != "" && method != "Browser.close" {
		msg["sessionId"] = c.session
	}
	data, err := json.Marshal(msg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.in.Write(append(data, 0)); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	for {
		line, err := c.out.ReadBytes(0)
		if err != nil {
			if method == "Browser.close" {
				return
			}
			t.Fatalf("%s: %v", method, err)
		}
		var reply struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(bytes.TrimSuffix(line, []byte{0}), &reply); err != nil {
			t.Fatal(err)
		}
		if reply.ID != c.id {
			continue
		}
		if reply.Error != nil {
			t.Fatalf("%s: %s", method, reply.Error.Message)
		}
		if answer != nil {
			if err := json.Unmarshal(reply.Result, answer); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
}

// picture gives what Chromium shows of an SVG on white, w × h px at scale.
func (c *chromium) picture(t testing.TB, svg []byte, w, h int, scale float64) image.Image {
	t.Helper()
	c.tell(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": w, "height": h, "deviceScaleFactor": scale, "mobile": false}, nil)
	page := fmt.Sprintf("<!doctype html><style>body{margin:0;background:white}svg{display:block}*{animation:none!important}</style>%s", svg)
	c.tell(t, "Page.setDocumentContent", map[string]any{"frameId": c.frame, "html": page}, nil)
	var shot struct{ Data string }
	c.tell(t, "Page.captureScreenshot", map[string]any{"format": "png", "clip": map[string]any{"x": 0, "y": 0, "width": w, "height": h, "scale": 1}}, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}
