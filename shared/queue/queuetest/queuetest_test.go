package queuetest_test

import (
	"testing"

	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
)

func TestMemoryConforms(t *testing.T) {
	queuetest.Run(t, queuetest.Harness{
		Open: func(_ testing.TB, maxReceives int) queue.Driver { return queuetest.Memory(maxReceives) },
	})
}
