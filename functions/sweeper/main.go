// Command sweeper sends again, each minute, what was lost between the store and a queue. It is a Lambda function.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"tsumugi/shared/app"
	"tsumugi/shared/app/aws"
	"tsumugi/shared/telemetry/xray"
)

func main() {
	slog.SetDefault(app.Logger(os.Stderr))
	handler, err := aws.Sweeper(context.Background(), os.Getenv, xray.Tracer{})
	if err != nil {
		slog.Error("cannot start", "error", err)
		os.Exit(1)
	}
	lambda.Start(handler)
}
