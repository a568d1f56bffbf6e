package discord_test

import (
	"net/http"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestFaultsOnEveryRoute: each kind of accident hits each call of the table, once, and not its neighbour. The calls are empty: what
// is tested happens before anybody reads them, so that nobody watches them here.
func TestFaultsOnEveryRoute(t *testing.T) {
	kinds := map[string]struct {
		fault  simdiscord.Fault
		status int // 0: the connection ends
	}{
		"refused":  {simdiscord.Fault{Kind: simdiscord.FaultRefused}, 0},
		"lost":     {simdiscord.Fault{Kind: simdiscord.FaultLost}, 0},
		"502":      {simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 502}, 502},
		"429":      {simdiscord.Fault{Kind: simdiscord.FaultRateLimit, RetryAfter: 1}, 429},
		"429 HTML": {simdiscord.Fault{Kind: simdiscord.FaultRateLimit, Bare: true}, 429},
	}
	for _, rt := range simdiscord.New(simdiscord.Options{}).State().Routes {
		t.Run(rt.Method+rt.Route, func(t *testing.T) {
			sim := simdiscord.New(simdiscord.Options{NoLimits: true})
			defer sim.Close()
			w := &world{sim, t, "http://127.0.0.1", &http.Client{Transport: sim.Direct()}}
			neighbour := "/users/@me"
			if rt.Route == neighbour {
				neighbour = "/gateway/bot"
			}
			for name, k := range kinds {
				k.fault.Method, k.fault.Route = rt.Method, rt.Route
				if err := w.Fault(k.fault); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if a := w.rest("GET", neighbour, ""); a.status != 200 {
					t.Errorf("%s hit its neighbour: %d", name, a.status)
				}
				if a := w.rest(rt.Method, filled(rt.Route), ""); a.status != k.status || (a.err != nil) != (k.status == 0) {
					t.Errorf("%s: %d %v", name, a.status, a.err)
				}
				if left := w.Armed(); len(left) != 0 {
					t.Errorf("%s is left: %+v", name, left)
					w.ClearFaults()
				}
			}
		})
	}
}

// filled puts an id into every place of a route.
func filled(route string) string {
	parts := strings.Split(route, "/")
	for i, p := range parts {
		if strings.HasPrefix(p, "{") {
			parts[i] = "1"
		}
	}
	return strings.Join(parts, "/")
}
