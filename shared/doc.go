// Package shared is the map of Tsumugi; it holds this page and the laws of the house (laws_test.go), and no code. Code
// lives in the rooms below it.
//
// # What happens to a message
//
// Somebody writes in a channel of Discord. The relay holds the gateway session and does one thing: it puts the event on
// a queue. Admission decides what becomes of the event and offers it to its channel. Planning decides who answers.
// Generation lets one persona speak: it gathers the scene, streams the model's text into Discord by edits, saves the
// reply, and hands on to the next turn or gives the channel back, taking the next waiting event out of its mailbox.
//
//	Discord ── gateway ──► relay                             the bot's posts and edits
//	                         │                                           ▲
//	                      ingress (queue)                                │
//	                         ▼                                           │
//	                     admission ─── offer ───► the channel: head,     │
//	                         │                    mailbox, ledger,       │
//	                      turns (queue)           plans, turns, parts    │
//	                         ▼                            ▲              │
//	                     planning ─── acquire, plan ──────┤              │
//	                         │                            │              │
//	                      replies (queue)                 │              │
//	                         ▼                            │              │
//	                     generation ─ acquire, text, end ─┴──────────────┘
//	                         │ ▲
//	                   model ┘ └ the next turn, or the next waiting event, goes back to its queue
//
//	sweeper     each minute sends again what was lost between a store and a queue
//	undertaker  reads the dead letters and frees the channel that a message could not leave alive
//
// A slash command comes another way. Discord posts it to interactions, which answers within three seconds: /stop and /kill
// write the channel's signal themselves, and what takes longer goes to the commands queue, whose worker puts its answer in
// place of the first. The registrar tells Discord, at each deployment, which commands there are and where to post them. On one
// machine, which Discord cannot reach, commands come over the gateway to the same verbs.
//
// Every queue is FIFO with the channel as its group, so that one channel goes in order while others go in parallel. The
// queues do not make the channel safe, though: they deliver twice, and a slow worker's message becomes visible again. So
// a message permits nothing. It names an event and a turn, and the worker must acquire the channel's head. That raises
// the head's fence, and every later write is conditional on the fence: a worker that was overtaken changes nothing.
// Package chat draws the states of a channel and of a part, and package store keeps the transactions.
//
// The same verbs run twice. On one machine they run in one process over SQLite (kv/sqlite, queue/sqlite), with a
// simulated Discord and a demo model where no token and no model are configured. On AWS each step is a Lambda function
// over DynamoDB (kv/dynamo) and SQS (queue/sqs). Nothing below the assembly knows which of the two it is in: both engines
// are held to one suite for each contract.
//
// # Rooms
//
// Words, which import the standard library and, downwards, each other:
//
//	chat               events, head, mailbox, plans, turns, verdicts; the contracts of the channel protocol
//	persona            characters and how a channel is set up: who lives in it, what wakes them
//	llm                requests to a model and what it streams; the reader of server-sent events
//	guild              what a server has set: personas, channels, providers, limits; who changed it; how a secret is kept
//	locale             every text that a person reads, in each language
//	remedy             what mends a refusal of AWS, in one sentence for the log
//
// Verbs, one step of the flow each; they know words and contracts, and nothing outside:
//
//	admit              may this event enter, and what becomes of it
//	plan               who speaks, in which order
//	turn               one persona speaks once: gather, stream, save, release
//	prompt             a scene becomes a request, raw text becomes a reply; pure
//	speech             streamed text becomes Discord-shaped parts and paced edits
//	command            slash commands: what is registered, and what each does
//
// The store and the contracts under it, each with its suite and its engines:
//
//	store              the repositories of the protocol, written once over kv
//	kv                 a dumb conditional key-value driver
//	kv/kvtest          the suite that every driver passes; the in-memory twin; a wrapper that injects faults
//	kv/sqlite          the driver on one SQLite file
//	kv/dynamo          the driver on DynamoDB
//	queue              FIFO queues, bodies with versions, and the batch rules between a queue and a handler
//	queue/queuetest    the suite that every queue passes
//	queue/sqlite       the queues on one SQLite file
//	queue/sqs          the queues on SQS FIFO
//	llm/llmtest        the suite that every model passes
//	seal               what ways to keep a secret share, and a memory of what was opened a moment ago
//	seal/sealtest      the suite that every way passes; the in-memory twin
//	seal/file          secrets under a key file of this machine
//	seal/kms           secrets under a key of AWS KMS
//
// Adapters, each the only place that knows its technology:
//
//	discord            gateway session, REST client and sink; discordgo's types stop here
//	provider/openai    the OpenAI chat-completions wire format
//	outbound           the way to addresses that people name: the public internet, and hosts that the operator allows
//	telemetry          how replies came about: stages on a time line, calls counted; how long turns took, for CloudWatch
//	telemetry/xray     the same for AWS X-Ray: subsegments of stages and calls; its SDK stops here
//	sim/discord        a simulated Discord: REST, gateway, faults, and a page to talk through
//	sim/discord/discordtest  holds every call of every test to Discord's own OpenAPI description
//	sim/discord/browsertest   drives a headless Chromium, for the tests of that page
//	sim/stack          template.yaml read as CloudFormation reads it, and calls compared with permissions
//	sim/cloud          Lambda's Runtime API, event source mappings, and a recording proxy around emulators of AWS's stores
//	sim/model          a scripted model server, and the labelled demo voice
//
// The assembly:
//
//	app                configuration, and the one place where verbs meet their contracts
//	app/local          everything in one process
//	app/aws            each role as a Lambda function, and the relay as a process too
//
// # Direction of imports
//
// Down only: functions → app → verbs and adapters → words. A verb never imports an adapter, nor an adapter a verb or
// another adapter; store imports kv and words. A Lambda binary links its role: neither SQLite nor a simulator, X-Ray's SDK
// only where there is something to trace (its main brings it), and of the rest what its main reaches. The tables in
// laws_imports_test.go and in app/aws/artifacts_test.go are exact; they fail with the reason.
//
// # What to read, in which order
//
//  1. chat/doc.go, then chat/head.go and chat/channel.go: the protocol's words and promises.
//  2. admit, plan and turn, from the exported function down: the main flow, a step a file.
//  3. store, beside its property tests: how each transaction keeps its promise.
//  4. app and app/testdata/stories: how it is wired, and whole conversations with their wanted ends.
//  5. prompt and speech: pure text in, pure text out.
//  6. kv/kvtest beside kv/sqlite, when an engine has to be changed: the suite is the contract, executable.
package shared
