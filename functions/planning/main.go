// Command planning decides who answers, for each message of the turns queue. It is a Lambda function.
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
	handler, err := aws.Planning(context.Background(), os.Getenv, xray.Tracer{})
	if err != nil {
		slog.Error("cannot start", "error", err)
		os.Exit(1)
	}
	lambda.Start(handler)
}
