package cloud

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
)

// Log collects what processes write.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends to it.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String is everything so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Count is how many lines hold all of the texts.
func (l *Log) Count(texts ...string) int {
	n := 0
	for line := range strings.Lines(l.String()) {
		all := true
		for _, text := range texts {
			all = all && strings.Contains(line, text)
		}
		if all {
			n++
		}
	}
	return n
}

// Process is a program that runs with an environment of its own and nothing of ours.
type Process struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

// Start runs a program. It dies with us where the system can promise that.
func Start(binary, dir string, env map[string]string, log *Log) (*Process, error) {
	p := &Process{cmd: exec.CommandContext(context.Background(), binary), ended: make(chan struct{})}
	p.cmd.Dir = dir
	p.cmd.Env = []string{}
	for k, v := range env {
		p.cmd.Env = append(p.cmd.Env, k+"="+v)
	}
	p.cmd.Stdout, p.cmd.Stderr = log, log
	bind(p.cmd)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", binary, err)
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in its log and in its state
		close(p.ended)
	}()
	return p, nil
}

// Kill ends it as a power cut does, and waits for the end.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may have ended by itself
	<-p.ended
}
