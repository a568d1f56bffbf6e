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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends it at once
	if err := local.Run(ctx, os.Getenv, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tsumugi:", err)
		stop()
		os.Exit(1)
	}
}
