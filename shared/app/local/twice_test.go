//go:build unix

package local_test

import (
	"syscall"
	"testing"
	"time"

	simmodel "tsumugi/shared/sim/model"
)

// Whoever does not want to wait for a running reply asks twice.
func TestASecondInterruptEndsItAtOnce(t *testing.T) {
	w := newWorld(t, open())
	w.model.Script(simmodel.Rule{Reply: slowly(time.Second, counting)})
	i := w.ready()
	w.say("count the boats")
	eventually(t, soon, "the reply's first words", func() bool { return len(w.replies("hall")) > 0 })
	i.signal(syscall.SIGINT)
	i.until("the first interrupt", `"msg":"stopping`)
	i.signal(syscall.SIGINT)
	<-i.ended
	if status, ok := i.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGINT {
		t.Errorf("it ended as %s, want by the second interrupt", i.cmd.ProcessState)
	}
}
