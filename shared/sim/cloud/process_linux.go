package cloud

import (
	"os/exec"
	"syscall"
)

// bind lets a process die with the one that started it, also when that is killed: a frozen one would stay for ever.
func bind(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// freeze stops a process in the middle of whatever it does, as Lambda does between two invocations.
func (p *Process) freeze() { _ = p.cmd.Process.Signal(syscall.SIGSTOP) } // it may have ended

// thaw lets it go on.
func (p *Process) thaw() { _ = p.cmd.Process.Signal(syscall.SIGCONT) } // as above
