// Command relay holds the session with Discord's gateway and puts its events on the ingress queue. It is a plain process.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"tsumugi/shared/app"
	"tsumugi/shared/app/aws"
)

func main() {
	slog.SetDefault(app.Logger(os.Stderr))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := aws.Relay(ctx, os.Getenv); err != nil {
		slog.Error("the relay ended", "error", err)
		stop()
		os.Exit(1)
	}
}
