// Package chat holds the words of a conversation and the contracts between the rooms that handle it: events, the channel's
// head, mailbox, beat and signal, plans, turns and parts, the ledger's rows, verdicts, Keep's beat, and what workers say of
// their work (Recorder). It imports the standard library only. What must not live here: how anything is stored (package
// store), how Discord is spoken to (package discord), what is kept of a Recorder's news (package telemetry), and decisions
// of admission, planning or generation (packages admit, plan, turn).
//
// # The channel
//
// One channel is a small state machine, the head. A message of a queue confers no authority: it names what the head is at,
// and the worker must acquire.
//
//	        offer                 acquire                plan saved             acquire            last turn ended
//	free ─────────► waits-plan ───────────► planning ───────────────► waits-turn i ──────► speaking ───────┐
//	 ▲                  ▲  └◄── yield ───────┘ │ no turns                  ▲  └◄── yield ────┘ │ more turns │
//	 │                  │                      │                           └───────────────────┘            │
//	 │                  │ popped               ▼                                                            ▼
//	 └── mailbox empty ◄┴───────────────── release ◄────────────────────────────────────────────────────────┘
//
// Whoever changes the phase leaves in the same transaction what has to be sent (Head.Next, with the send number N) and
// sends it afterwards. Acquire raises the fence, counts a start, and writes the first beat. A holder whose beat is older
// than DeadLimit is dead: a message that names exactly what it held may take over. A Signal is addressed to the hold,
// whatever the fence. The mailbox is ordered: the answer to a stop, a follow-up, the rest.
//
// # A turn's part
//
//	        Intend          Stamp            create            Record           edits … final edit
//	none ───────────► intent ─────► stamped ─────────► landed? ─────────► recorded ─────────────► shown = saved
//	                    ▲              │  no answer, a crash, or older than NonceTrust
//	                    │ none found   ▼
//	                    └────────── read the channel, after Settle ──► found: Record
//
// The order at the end is fixed: text stored, last edit, turn ended.
package chat
