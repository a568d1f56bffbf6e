// Package kvtest holds every store driver to the contract of package kv. What lives here: the conformance suite (Run), an
// in-memory twin that passes it (Memory), and a wrapper that injects faults which an embedded engine never shows (Wrap).
// What must not live here: anything that a production binary links, and any meaning of an item.
package kvtest
