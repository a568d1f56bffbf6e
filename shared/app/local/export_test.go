package local

// Sources are the event sources that a process runs.
var Sources = sources

// Drain is how long a process that is told to stop waits for replies that run.
const Drain = drain
