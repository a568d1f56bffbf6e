package local

// Sources are the event sources that a process runs.
var Sources = sources
