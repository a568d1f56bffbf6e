// Package cloud is a simulated AWS around emulators of its stores: Lambda's Runtime API with real bootstrap processes, event
// source mappings, schedules, an HTTP API in front of a function, custom resources, and a proxy that records every call to
// DynamoDB, SQS and the other services and can disturb them. It is imported by tests.
//
// It is an independent opinion about AWS, as package sim/discord is about Discord. So it imports no other room of the product
// and no SDK of AWS: what it sends and reads are the bytes of the wire. What it must never hold is knowledge of the bot that
// runs in it, and the stores themselves: those are servers that nobody here wrote (dynoxide, moto), which .ci/e2e-aws starts.
//
//	process.go   one process: started, frozen, killed, its output kept
//	function.go  a function: instances as they are needed, one invocation each at a time
//	runtime.go   the Runtime API that an instance polls
//	mapping.go   what takes messages from a queue to a function
//	invoke.go    the other ways to a function: schedule, HTTP API, custom resource
//	wire.go      calls of AWS's JSON protocol, for the mappings and for what tests look at
//	proxy.go     between the functions and the stores; record.go what it writes down, fault.go what it does wrong
package cloud
