package sqlite

// ReadyQuery is the statement that Receive looks for messages with.
const ReadyQuery = sqlReady
