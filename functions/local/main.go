// Command local runs the whole product in one process on this machine.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"tsumugi/shared/app"
	"tsumugi/shared/app/local"
)

func main() {
	slog.SetDefault(app.Logger(os.Stderr))
	asked, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	// The signals are given back first: whoever reads that we are stopping can end us at once with a second Ctrl-C.
	context.AfterFunc(asked, func() { stop(); cancel() })
	if err := local.Run(ctx, os.Getenv, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tsumugi:", err)
		os.Exit(1)
	}
}
