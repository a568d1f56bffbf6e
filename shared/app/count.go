package app

import (
	"context"
	"iter"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/llm"
	"tsumugi/shared/queue"
)

// counted is the ports with every call of the outside told to the recorder, where there is one.
func (p Ports) counted() Ports {
	if p.Recorder == nil {
		return p
	}
	p.KV, p.Queues = countedStore{p.KV}, countedQueues{p.Queues}
	if p.Discord != nil {
		p.Discord = countedDiscord{p.Discord}
	}
	if p.Voice.Model != nil {
		p.Voice.Model = countedModel{p.Voice.Model}
	}
	if reach := p.Reach; reach != nil {
		p.Reach = func(address string, current func(context.Context, string) (string, error)) (llm.Model, error) {
			m, err := reach(address, current)
			return countedModel{m}, err
		}
	}
	return p
}

// recorded is the handler with what its workers do told to the recorder, where there is one.
func (p Ports) recorded(h queue.BatchHandler) queue.BatchHandler {
	return func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		return h(p.recording(ctx), e)
	}
}

// recording is the context of workers who tell the recorder, where there is one.
func (p Ports) recording(ctx context.Context) context.Context {
	if p.Recorder == nil {
		return ctx
	}
	return chat.Recording(ctx, p.Recorder)
}

// countedStore counts calls of a store. Each is one round trip, however many items it is about.
type countedStore struct{ kv.Driver }

func (s countedStore) Get(ctx context.Context, k kv.Key) (kv.Item, error) {
	chat.Called(ctx, chat.CallStore)
	return s.Driver.Get(ctx, k)
}

func (s countedStore) BatchGet(ctx context.Context, keys ...kv.Key) ([]kv.Item, error) {
	chat.Called(ctx, chat.CallStore)
	return s.Driver.BatchGet(ctx, keys...)
}

func (s countedStore) Query(ctx context.Context, q kv.Query) (kv.Page, error) {
	chat.Called(ctx, chat.CallStore)
	return s.Driver.Query(ctx, q)
}

func (s countedStore) Write(ctx context.Context, ops ...kv.Op) error {
	chat.Called(ctx, chat.CallStore)
	return s.Driver.Write(ctx, ops...)
}

func (s countedStore) Due(ctx context.Context, space string, before time.Time, limit int) ([]kv.Item, error) {
	chat.Called(ctx, chat.CallStore)
	return s.Driver.Due(ctx, space, before, limit)
}

// countedQueues counts what a worker asks of the queues; receiving and deleting are the event source's (on AWS, Lambda's own).
type countedQueues struct{ Queues }

func (q countedQueues) Send(ctx context.Context, name string, m queue.Message) error {
	chat.Called(ctx, chat.CallQueue)
	return q.Queues.Send(ctx, name, m)
}

func (q countedQueues) Hide(ctx context.Context, name, receipt string, d time.Duration) error {
	chat.Called(ctx, chat.CallQueue)
	return q.Queues.Hide(ctx, name, receipt, d)
}

// countedDiscord counts calls of Discord.
type countedDiscord struct{ chat.Discord }

func (d countedDiscord) Create(ctx context.Context, p chat.Post) (chat.Ref, error) {
	chat.Called(ctx, chat.CallDiscord)
	return d.Discord.Create(ctx, p)
}

func (d countedDiscord) Edit(ctx context.Context, m chat.Ref, s chat.Shown) error {
	chat.Called(ctx, chat.CallDiscord)
	return d.Discord.Edit(ctx, m, s)
}

func (d countedDiscord) Delete(ctx context.Context, m chat.Ref) error {
	chat.Called(ctx, chat.CallDiscord)
	return d.Discord.Delete(ctx, m)
}

func (d countedDiscord) Typing(ctx context.Context, c chat.ChannelID) error {
	chat.Called(ctx, chat.CallDiscord)
	return d.Discord.Typing(ctx, c)
}

func (d countedDiscord) Before(ctx context.Context, c chat.ChannelID, id chat.MessageID, limit int) ([]chat.Message, error) {
	chat.Called(ctx, chat.CallDiscord)
	return d.Discord.Before(ctx, c, id, limit)
}

func (d countedDiscord) After(ctx context.Context, c chat.ChannelID, id chat.MessageID, limit int) ([]chat.Message, error) {
	chat.Called(ctx, chat.CallDiscord)
	return d.Discord.After(ctx, c, id, limit)
}

func (d countedDiscord) Expressions(ctx context.Context, guild string) (chat.Expressions, error) {
	chat.Called(ctx, chat.CallDiscord) // though it is often remembered
	return d.Discord.Expressions(ctx, guild)
}

// EditWait is that of the Discord within, which makes no call; without one no edit has to wait (chat.Pacer).
func (d countedDiscord) EditWait(m chat.Ref) time.Duration {
	if p, ok := d.Discord.(chat.Pacer); ok {
		return p.EditWait(m)
	}
	return 0
}

// countedModel counts requests to a model.
type countedModel struct{ llm.Model }

func (m countedModel) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	stream := m.Model.Stream(ctx, r)
	return func(yield func(llm.Delta, error) bool) {
		chat.Called(ctx, chat.CallModel) // each range asks
		stream(yield)
	}
}
