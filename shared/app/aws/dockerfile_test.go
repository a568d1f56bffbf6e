package aws_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"tsumugi/shared/app"
)

// text reads a file of the repository.
func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// instructions are the lines of a Dockerfile that are no comments.
func instructions(file string) []string {
	var all []string
	for line := range strings.Lines(file) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			all = append(all, line)
		}
	}
	return all
}

// No container can be built by these tests. What they can know of it: that it builds what make build builds, and that the last
// stage is that alone, run by nobody in particular.
func TestRelayContainer(t *testing.T) {
	file := text(t, "infra/relay.Dockerfile")
	lines := instructions(file)
	cut := 0
	for i, l := range lines {
		if strings.HasPrefix(l, "FROM ") {
			cut = i
		}
	}
	build, last := strings.Join(lines[:cut], "\n"), lines[cut:]

	golang := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(text(t, "go.mod"))[1]
	if want := "FROM --platform=$BUILDPLATFORM golang:" + golang + " AS build\n"; !strings.HasPrefix(build, want) || strings.Count(build, "FROM ") != 1 {
		t.Errorf("it does not begin with %q: %s", want, build)
	}
	command := regexp.MustCompile(`(?m)^LAMBDA := (.*)$`).FindStringSubmatch(text(t, "Makefile"))[1]
	command = strings.NewReplacer("$(GO)", "go", "GOARCH=arm64", "GOARCH=$TARGETARCH").Replace(command)
	if want := "RUN " + command + " -o /bootstrap ./functions/relay"; !strings.Contains(build, want) {
		t.Errorf("make build builds another relay: there is no %q in %s", want, build)
	}
	want := []string{"FROM gcr.io/distroless/static-debian12:nonroot", "COPY --from=build /bootstrap /relay", "USER nonroot:nonroot",
		"STOPSIGNAL SIGTERM", `ENTRYPOINT ["/relay"]`}
	if strings.Join(last, "\n") != strings.Join(want, "\n") {
		t.Errorf("what runs is %q, want %q", last, want)
	}
}

// Whoever follows the comment of the Dockerfile has all that the relay needs.
func TestRelayContainerTellsItsSettings(t *testing.T) {
	set := map[string]string{"AWS_REGION": ""}
	for _, m := range regexp.MustCompile(`(?m)^#\t([A-Z_]+)  +`).FindAllStringSubmatch(text(t, "infra/relay.Dockerfile"), -1) {
		set[m[1]] = "https://value.invalid/"
	}
	asked := map[string]bool{"AWS_REGION": true}
	_, err := app.Load(app.Relaying, func(name string) string { asked[name] = true; return set[name] })
	if err != nil || len(set) < 4 {
		t.Errorf("with %v it says %v", set, err)
	}
	for name := range set {
		if !asked[name] {
			t.Errorf("%s is no setting of the relay", name)
		}
	}
}
