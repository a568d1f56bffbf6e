// Package command is what people may ask of the house by slash commands: one table (table.go), from which registration
// (Specs), dispatch, help and the README's list come. What lives here: the commands, who may use them, and what each does step by
// step. What must not live here: the words that people read (package locale), how Discord is spoken to, verified and decoded
// (package discord), how settings and channels are kept (package store), and how an interaction travels to the function
// that answers it later (package queue).
//
// An interaction has three seconds to be answered. Front answers it: what is quick is done at once; what needs longer goes
// to the commands queue, and Back replaces the first answer when it is done. A row of the table says for each of its steps
// which of the two does it.
//
// Nothing of a dialogue is kept in a process. What the next step needs is in the custom id of its button, menu or form
// (route.go), or in a note of the guild.Book that fades after a quarter of an hour. A custom id authorizes nothing: every
// step checks again who uses it, and where.
package command
