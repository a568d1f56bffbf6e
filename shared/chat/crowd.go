package chat

import (
	"context"
	"time"
)

// CrowdSpan is how long a stream counts that says once that it is there. Spans begin at multiples of it since 1970, so that
// all processes agree on them.
const CrowdSpan = 15 * time.Second

// Crowd knows how many replies stream at once over all processes of an installation. On AWS each process serves one stream,
// and all of them share one limit of Discord.
type Crowd interface {
	// Join says that one stream goes on in the present span, and that ended others of this process, which had said so in this
	// very span, are over. A stream joins when it begins and again in each
	// span that it sees. Who is silent for a span is not counted in it, however that came about; nothing has to be taken back.
	// Repeating a Join counts twice, so it is not repeated when its outcome is unknown: an error is nothing to wait for.
	Join(ctx context.Context, ended int) (Standing, error)
}

// Standing is where a stream stands in the crowd.
type Standing struct {
	Streams int // that go on, this one included
	Rank    int // how many others had joined the span when this one did, without those that have ended
}
