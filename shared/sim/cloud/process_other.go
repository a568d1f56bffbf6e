//go:build !linux

package cloud

import "os/exec"

func bind(*exec.Cmd) {}

func (p *Process) freeze() {}

func (p *Process) thaw() {}
