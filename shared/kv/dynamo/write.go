package dynamo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tsumugi/shared/kv"
	"tsumugi/shared/remedy"
)

// Write performs the operations in one transaction, or a single one by the plain call, which costs half.
//
// An Update must start from nothing when its item has expired but is still there, which no update expression can say.
// Therefore an Update carries the condition that its item has not expired. When that is what failed, the Write is tried
// once more with a Put of what the Update makes of nothing, under the condition that the item is still there, expired.
func (d *DB) Write(ctx context.Context, ops ...kv.Op) error {
	if err := kv.Validate(ops); err != nil {
		return err
	}
	w := &write{db: d, ops: ops, now: time.Now(), reborn: make([]bool, len(ops))}
	again, err := w.try(ctx)
	if again {
		again, err = w.try(ctx)
	}
	if again { // another item was found expired meanwhile
		err = fmt.Errorf("write %s and %d more: %w", ops[0].Key, len(ops)-1, kv.ErrContention)
	}
	return err
}

// write is one Write.
type write struct {
	db     *DB
	ops    []kv.Op
	now    time.Time
	reborn []bool // the Update's item was found expired
	asked  remedy.Asked
}

// try sends the operations. again asks for another try with what it has learned about expired items; nothing is written then.
func (w *write) try(ctx context.Context) (again bool, err error) {
	items := make([]types.TransactWriteItem, len(w.ops))
	var tables []string
	for i, op := range w.ops {
		table, err := w.db.table(op.Key.Space)
		if err != nil {
			return false, fmt.Errorf("write op %d of %s: %w", i, op.Key, err)
		}
		if !slices.Contains(tables, *table) {
			tables = append(tables, *table)
		}
		if w.reborn[i] {
			items[i].Put = w.rebirth(op, table)
			continue
		}
		items[i] = w.request(op, table)
	}
	w.asked = asking("dynamodb:PutItem, UpdateItem, DeleteItem or ConditionCheckItem", tables...)
	if err = w.db.send(ctx, items); err == nil {
		return false, nil
	}
	return w.judge(err)
}

// judge turns a refusal into the contract's error. A failed condition wins over contention and that over throttling, as
// long as all say that nothing was written.
func (w *write) judge(err error) (again bool, verdict error) {
	worst := explain(err, w.asked)
	for _, r := range refusals(err, w.asked) {
		if r.op >= len(w.ops) {
			break // reasons of nobody
		}
		op := w.ops[r.op]
		switch {
		case !errors.Is(r.err, kv.ErrCondition):
			if !kv.Retryable(worst) || errors.Is(r.err, kv.ErrContention) {
				worst = r.err
			}
		case w.reborn[r.op]:
			worst = kv.ErrContention // somebody wrote the expired item since
		case op.Verb == kv.Update && expired(r.old, w.now) && onNothing(op.If):
			w.reborn[r.op], again = true, true
		default:
			return false, &kv.ConditionError{Op: r.op, Key: op.Key}
		}
	}
	if again && !kv.Retryable(worst) && !errors.Is(worst, kv.ErrInvalid) && !errors.Is(worst, kv.ErrTooLarge) {
		return true, nil
	}
	return false, fmt.Errorf("write %s and %d more: %w", w.ops[0].Key, len(w.ops)-1, worst)
}

// onNothing tells whether the conditions hold on an absent item.
func onNothing(conds []kv.Cond) bool {
	for _, c := range conds {
		if c.Test != kv.Absent {
			return false
		}
	}
	return true
}

// request translates one op.
func (w *write) request(op kv.Op, table *string) types.TransactWriteItem {
	e := &expression{}
	condition := e.conditions(op.If, w.now)
	switch op.Verb {
	case kv.Put:
		return types.TransactWriteItem{Put: &types.Put{TableName: table, Item: record(op.Key, op.Attrs),
			ConditionExpression: optional(condition), ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values}}
	case kv.Delete:
		return types.TransactWriteItem{Delete: &types.Delete{TableName: table, Key: keyOf(op.Key),
			ConditionExpression: optional(condition), ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values}}
	case kv.Check:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: table, Key: keyOf(op.Key),
			ConditionExpression: &condition, ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values}}
	}
	if condition != "" {
		condition += " AND "
	}
	condition += e.live(w.now)
	change := e.change(op)
	return types.TransactWriteItem{Update: &types.Update{TableName: table, Key: keyOf(op.Key), UpdateExpression: &change,
		ConditionExpression: &condition, ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld}}
}

// rebirth is the Put of what an Update makes of nothing, over an item that has expired.
func (w *write) rebirth(op kv.Op, table *string) *types.Put {
	attrs := kv.Attrs{}
	for name, value := range op.Set {
		attrs[name] = value
	}
	for name, delta := range op.Add {
		attrs[name] = delta
	}
	e := &expression{}
	condition := e.dead(w.now)
	return &types.Put{TableName: table, Item: record(op.Key, attrs), ConditionExpression: &condition,
		ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values}
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// send performs the items.
func (d *DB) send(ctx context.Context, items []types.TransactWriteItem) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	first := items[0]
	var err error
	switch {
	case len(items) > 1 || first.ConditionCheck != nil:
		option, lost := transacting()
		_, err = d.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: items,
			ClientRequestToken: aws.String(rand.Text())}, option)
		if throttled(err) && lost() {
			err = fmt.Errorf("after a lost reply: %v", err) //nolint:errorlint // whoever reads the cause would take it for unwritten
		}
	case first.Put != nil:
		p := first.Put
		_, err = d.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: p.TableName, Item: p.Item,
			ConditionExpression: p.ConditionExpression, ExpressionAttributeNames: p.ExpressionAttributeNames,
			ExpressionAttributeValues: p.ExpressionAttributeValues}, once)
	case first.Update != nil:
		u := first.Update
		_, err = d.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: u.TableName, Key: u.Key,
			UpdateExpression: u.UpdateExpression, ConditionExpression: u.ConditionExpression,
			ExpressionAttributeNames: u.ExpressionAttributeNames, ExpressionAttributeValues: u.ExpressionAttributeValues,
			ReturnValuesOnConditionCheckFailure: u.ReturnValuesOnConditionCheckFailure}, once)
	default:
		r := first.Delete
		_, err = d.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: r.TableName, Key: r.Key,
			ConditionExpression: r.ConditionExpression, ExpressionAttributeNames: r.ExpressionAttributeNames,
			ExpressionAttributeValues: r.ExpressionAttributeValues}, once)
	}
	return err
}
