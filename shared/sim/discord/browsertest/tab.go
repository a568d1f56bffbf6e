package browsertest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Tab is one page of a browser, with what it asked the network for and what it complained about.
type Tab struct {
	t       testing.TB
	b       *Browser
	session string

	mu         sync.Mutex
	requests   []string
	complaints []string
}

// View is how large a tab is and what its person prefers.
type View struct {
	Width, Height int
	// Phone means a touch screen, and a density of 2.
	Phone bool
	// Light means that the system prefers light colours; dark is preferred otherwise.
	Light bool
	// Still means that the person prefers reduced motion.
	Still bool
}

// Open opens a tab of its own session (storage included) and waits until the page has loaded.
func (b *Browser) Open(t testing.TB, url string, v View) *Tab {
	t.Helper()
	if v.Width == 0 {
		v.Width, v.Height = 1280, 800
	}
	tab := &Tab{t: t, b: b}
	var context struct{ BrowserContextID string }
	var target struct{ TargetID string }
	var attached struct{ SessionID string }
	tab.must("Target.createBrowserContext", nil, &context)
	tab.must("Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": context.BrowserContextID}, &target)
	tab.must("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.mu.Lock()
	tab.session = attached.SessionID
	b.tabs[tab.session] = tab
	b.mu.Unlock()
	t.Cleanup(func() {
		_, _ = b.ask("", "Target.disposeBrowserContext", map[string]any{"browserContextId": context.BrowserContextID})
	})
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		tab.must(domain+".enable", nil, nil)
	}
	tab.must("Emulation.setTimezoneOverride", map[string]any{"timezoneId": "UTC"}, nil)
	tab.must("Emulation.setLocaleOverride", map[string]any{"locale": "en-US"}, nil)
	tab.Show(v)
	tab.must("Page.navigate", map[string]any{"url": url}, nil)
	return tab
}

// Show changes how large the tab is and what its person prefers.
func (tab *Tab) Show(v View) {
	tab.t.Helper()
	scale := 1
	if v.Phone {
		scale = 2
	}
	tab.must("Emulation.setDeviceMetricsOverride", map[string]any{"width": v.Width, "height": v.Height, "deviceScaleFactor": scale, "mobile": v.Phone}, nil)
	tab.must("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": v.Phone}, nil)
	scheme, motion := "dark", "no-preference"
	if v.Light {
		scheme = "light"
	}
	if v.Still {
		motion = "reduce"
	}
	tab.must("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{
		{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion},
	}}, nil)
}

// must sends a command that has to work.
func (tab *Tab) must(method string, params, into any) {
	tab.t.Helper()
	result, err := tab.b.ask(tab.session, method, params)
	if err == nil && into != nil {
		err = json.Unmarshal(result, into)
	}
	if err != nil {
		tab.t.Fatal(err)
	}
}

// hear notes what the page did: requests, and everything that its console would show in yellow or red.
func (tab *Tab) hear(method string, params json.RawMessage) {
	var p struct {
		Type    string
		Request struct{ URL string }
		Args    []struct {
			Value       any
			Description string
		}
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
		Entry struct{ Level, Text, URL string }
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	tab.mu.Lock()
	defer tab.mu.Unlock()
	switch method {
	case "Network.requestWillBeSent":
		tab.requests = append(tab.requests, p.Request.URL)
	case "Runtime.consoleAPICalled":
		if p.Type == "error" || p.Type == "warning" || p.Type == "assert" {
			tab.complaints = append(tab.complaints, fmt.Sprint(p.Type, ": ", p.Args))
		}
	case "Runtime.exceptionThrown":
		tab.complaints = append(tab.complaints, p.ExceptionDetails.Text+" "+p.ExceptionDetails.Exception.Description)
	case "Log.entryAdded":
		if p.Entry.Level == "error" || p.Entry.Level == "warning" {
			tab.complaints = append(tab.complaints, p.Entry.Text+" "+p.Entry.URL)
		}
	}
}

// Requests are the addresses that the tab asked for.
func (tab *Tab) Requests() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return slices.Clone(tab.requests)
}

// Complaints are the errors and warnings of the tab's console.
func (tab *Tab) Complaints() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return slices.Clone(tab.complaints)
}

// run evaluates JavaScript, awaiting a promise, and returns its value as JSON.
func (tab *Tab) run(script string) (json.RawMessage, error) {
	var out struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	result, err := tab.b.ask(tab.session, "Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true, "userGesture": true})
	if err == nil {
		err = json.Unmarshal(result, &out)
	}
	if err == nil && out.ExceptionDetails != nil {
		err = fmt.Errorf("%s %s", out.ExceptionDetails.Text, out.ExceptionDetails.Exception.Description)
	}
	return out.Result.Value, err
}

// Eval returns what a JavaScript expression is now, as text.
func (tab *Tab) Eval(script string) string {
	tab.t.Helper()
	value, err := tab.run(script)
	if err != nil {
		tab.t.Fatalf("%s: %v", script, err)
	}
	var text string
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	return text
}

// Wait waits until a JavaScript expression is true, and fails with what the page shows where it does not become so.
func (tab *Tab) Wait(what string) {
	tab.t.Helper()
	script := `new Promise(done => { const end = Date.now() + 45000; const look = () => {
		let is = false; try { is = Boolean(` + what + `); } catch {}
		if (is || Date.now() > end) done(is); else setTimeout(look, 15); }; look(); })`
	value, err := tab.run(script)
	for range 100 {
		if err == nil || !strings.Contains(err.Error(), "navigated") && !strings.Contains(err.Error(), "context was destroyed") {
			break
		}
		value, err = tab.run(script) // the page went elsewhere meanwhile
	}
	if err != nil || string(value) != "true" {
		tab.t.Fatalf("waited in vain for %s (%v)\nthe page shows: %.1500s\ncomplaints: %v", what, err, tab.Eval("document.body.innerText"), tab.Complaints())
	}
}

// Click presses the mouse, or taps, in the middle of the element that a JavaScript expression names.
func (tab *Tab) Click(element string) {
	tab.t.Helper()
	tab.Wait(element)
	var at struct{ X, Y float64 }
	where := tab.Eval(`(() => { const e = ` + element + `; e.scrollIntoView({block: "nearest"}); const r = e.getBoundingClientRect(); return JSON.stringify({x: r.x + r.width / 2, y: r.y + r.height / 2}); })()`)
	if err := json.Unmarshal([]byte(where), &at); err != nil {
		tab.t.Fatalf("click %s: %v", element, err)
	}
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		p := map[string]any{"type": kind, "x": at.X, "y": at.Y}
		if kind != "mouseMoved" {
			p["button"], p["clickCount"] = "left", 1
		}
		tab.must("Input.dispatchMouseEvent", p, nil)
	}
}

// Choose gives files to the file input that a JavaScript expression names, as its dialog would.
func (tab *Tab) Choose(input string, paths ...string) {
	tab.t.Helper()
	tab.Wait(input)
	var found struct {
		Result struct{ ObjectID string }
	}
	tab.must("Runtime.evaluate", map[string]any{"expression": input}, &found)
	tab.must("DOM.setFileInputFiles", map[string]any{"files": paths, "objectId": found.Result.ObjectID}, nil)
}

// Offline cuts the tab off from the network, or joins it again. What is connected already stays so.
func (tab *Tab) Offline(on bool) {
	tab.t.Helper()
	tab.must("Network.emulateNetworkConditions", map[string]any{"offline": on, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, nil)
}

// Wheel turns the mouse wheel over the middle of the element that a JavaScript expression names: up where down is negative, in pixels.
func (tab *Tab) Wheel(element string, down int) {
	tab.t.Helper()
	var at struct{ X, Y float64 }
	where := tab.Eval(`(() => { const r = (` + element + `).getBoundingClientRect(); return JSON.stringify({x: r.x + r.width / 2, y: r.y + r.height / 2}); })()`)
	if err := json.Unmarshal([]byte(where), &at); err != nil {
		tab.t.Fatalf("wheel over %s: %v", element, err)
	}
	tab.must("Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": at.X, "y": at.Y, "deltaX": 0, "deltaY": down}, nil)
}

// Type puts text where the focus is, as a keyboard or an input method does.
func (tab *Tab) Type(text string) {
	tab.t.Helper()
	tab.must("Input.insertText", map[string]any{"text": text}, nil)
}

// codes are the keys that Key knows beside letters.
var codes = map[string]int{
	"Enter": 13, "Escape": 27, "Tab": 9, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32, "Delete": 46, "Backspace": 8,
}

// Key presses a key, with modifiers before it: "Enter", "Shift+Tab", "Alt+ArrowDown", "r".
func (tab *Tab) Key(name string) {
	tab.t.Helper()
	parts := strings.Split(name, "+")
	key, modifiers := parts[len(parts)-1], 0
	for _, m := range parts[:len(parts)-1] {
		modifiers |= map[string]int{"Alt": 1, "Ctrl": 2, "Meta": 4, "Shift": 8}[m]
	}
	code, known := codes[key]
	if !known {
		code = int(strings.ToUpper(key)[0])
	}
	p := map[string]any{"type": "rawKeyDown", "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
	switch {
	case key == "Enter":
		p["type"], p["text"] = "keyDown", "\r"
	case key == " " || !known:
		p["type"], p["text"] = "keyDown", key
	}
	tab.must("Input.dispatchKeyEvent", p, nil)
	p["type"] = "keyUp"
	delete(p, "text")
	tab.must("Input.dispatchKeyEvent", p, nil)
}

// Shot writes a picture of what the tab shows, as PNG.
func (tab *Tab) Shot(path string) {
	tab.t.Helper()
	var out struct{ Data string }
	tab.must("Page.captureScreenshot", map[string]any{"format": "png", "optimizeForSpeed": false}, &out)
	picture, err := base64.StdEncoding.DecodeString(out.Data)
	if err == nil {
		err = os.WriteFile(path, picture, 0o600)
	}
	if err != nil {
		tab.t.Fatal(err)
	}
}
