// Package command is what people may ask of the house by slash commands: one table, from which registration (Specs) and
// dispatch come. What lives here: the commands, their permissions, and every word that they answer. What must not live
// here: how Discord is spoken to, verified and decoded (package discord), how a channel is stopped (package store), and
// how an interaction travels to the function that answers it later (package queue).
//
// An interaction has three seconds to be answered. Front answers it: a command that is quick acts at once; one that needs
// longer goes to the commands queue, and Back replaces the first answer when it is done.
package command
