package kvtest_test

import (
	"testing"

	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
)

func TestMemoryConforms(t *testing.T) {
	kvtest.Run(t, kvtest.Harness{Open: func(*testing.T) kv.Driver { return kvtest.Memory() }, Bubble: true})
}
