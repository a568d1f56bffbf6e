// Command relay holds the session with Discord's gateway and puts its events on the ingress queue. Started by Lambda each call
// is a run of the chain; started by anything else it is a plain process.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/aws/aws-lambda-go/lambda"

	"tsumugi/shared/app"
	"tsumugi/shared/app/aws"
)

func main() {
	slog.SetDefault(app.Logger(os.Stderr))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run, err := aws.Relay(ctx, os.Getenv)
	switch {
	case err != nil:
	case app.OnLambda(os.Getenv):
		lambda.Start(run.Once)
	default:
		err = run.Run(ctx)
	}
	if err != nil {
		slog.Error("the relay ended", "error", err)
		stop()
		os.Exit(1)
	}
}
