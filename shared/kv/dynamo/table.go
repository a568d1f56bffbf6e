package dynamo

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tsumugi/shared/kv"
)

// tableWait bounds how long CreateTable waits for the table to become active.
const tableWait = time.Minute

// Table is the definition of a table as the driver needs it, but for the time of life, which is on the attribute kv.TTL.
func Table(name string) *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String(partitionKey), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String(sortKey), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String(dueShard), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String(kv.DueAt), AttributeType: types.ScalarAttributeTypeN},
		},
		KeySchema: keySchema(partitionKey, sortKey),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName:  aws.String(dueIndex),
			KeySchema:  keySchema(dueShard, kv.DueAt),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		}},
	}
}

// CreateTable creates a Table and waits until it can be used. It is for tests and local endpoints; in the cloud the
// template declares the tables.
func CreateTable(ctx context.Context, client *dynamodb.Client, name string) error {
	_, err := client.CreateTable(ctx, Table(name))
	if err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	waiter := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 10*time.Millisecond, time.Second
	})
	if err := waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, tableWait); err != nil {
		return fmt.Errorf("wait for table %s: %w", name, err)
	}
	_, err = client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: &name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(kv.TTL), Enabled: aws.Bool(true)}})
	if err != nil {
		return fmt.Errorf("set the time of life of table %s: %w", name, err)
	}
	return nil
}

func keySchema(hash, order string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: &hash, KeyType: types.KeyTypeHash}, {AttributeName: &order, KeyType: types.KeyTypeRange},
	}
}
