package chat

import "context"

// MaxHops is how many messages a chain may have. A worker does not send the next one: the job stays in its head's outbox, and
// the sweeper begins a new chain with it. Whatever goes round in circles for a reason nobody thought of is thus slowed down
// to one round of the sweeper, and nothing is lost.
const MaxHops = 200

// MarkHops is the mark of a job that was not sent because its chain is that long.
const MarkHops = "hops exhausted"

// Chain is how the work under a context came about.
type Chain struct {
	Hops  int     // messages that workers sent because of one another, the one being worked on included
	Event EventID // that it is about
	Trace string  // names the trace that the work belongs to, in the words of whoever keeps traces; they are not ours to read
}

type chainKey struct{}

// About gives the context of work on the event. A chain that comes to another event, out of the mailbox, begins anew: a person
// wrote that, and a busy channel is no loop. An event that we write ourselves must bring its hops along.
func About(ctx context.Context, e EventID) context.Context {
	c := ChainOf(ctx)
	if c.Event != "" && c.Event != e {
		c.Hops = 0
	}
	c.Event = e
	return InChain(ctx, c)
}

// InChain gives the context of work that continues the chain.
func InChain(ctx context.Context, c Chain) context.Context {
	return context.WithValue(ctx, chainKey{}, c)
}

// ChainOf is the chain that work under the context continues; the zero one where it begins there.
func ChainOf(ctx context.Context) Chain {
	c, _ := ctx.Value(chainKey{}).(Chain)
	return c
}
