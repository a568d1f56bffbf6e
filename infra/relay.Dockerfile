# The relay as a process, for installations with RelayMode "process" (more than four shards, or no gap at all at a hand-over).
# Build it at the root of the repository:
#
#	docker build -f infra/relay.Dockerfile -t tsumugi-relay .
#
# Run it anywhere that reaches Discord and AWS; it listens on no port and keeps nothing on its disk:
#
#	docker run --env-file relay.env --restart unless-stopped --stop-timeout 30 --read-only tsumugi-relay
#
# with the environment that the relay function of the stack has, in relay.env:
#
#	AWS_REGION            the region of the stack
#	DISCORD_TOKEN_SECRET  the stack's output DiscordTokenSecret (or DISCORD_TOKEN, the token itself)
#	TSUMUGI_TABLES        its output RelayTables: the prefix of its tables
#	TSUMUGI_QUEUES        its output RelayQueues: the prefix of its queues' URLs
#
# and credentials as the AWS SDK finds them (a task's or an instance's role). They need the policy of the stack's output
# RelayPolicy: read and write items of the memory table, send to the ingress queue, read the secret.
#
# One process is enough. Two are safe: the second is a spare with a session of its own, and what both hear is answered once.
# The schedule of the Lambda form may be on meanwhile: its runs end as soon as they see a relay at work.
# On SIGTERM it puts what it has read on the queue and leaves its sessions to be resumed, within thirty seconds.

FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETARCH
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY functions ./functions
COPY shared ./shared
RUN CGO_ENABLED=0 GOOS=linux GOARCH=$TARGETARCH go build -tags lambda.norpc -trimpath -ldflags="-s -w" -o /bootstrap ./functions/relay

# No shell and no packages: only certificates, time zones and a user who may write nothing.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /bootstrap /relay
USER nonroot:nonroot
STOPSIGNAL SIGTERM
ENTRYPOINT ["/relay"]
