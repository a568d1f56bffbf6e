// Command registrar tells Discord the slash commands and where to send interactions, at each deployment and each hour. It is a
// Lambda function.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"tsumugi/shared/app"
	"tsumugi/shared/app/aws"
)

func main() {
	slog.SetDefault(app.Logger(os.Stderr))
	lambda.Start(aws.Registrar(context.Background(), os.Getenv))
}
