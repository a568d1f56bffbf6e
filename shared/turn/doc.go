// Package turn lets one persona speak once: stage 06 of the chat pipeline, from its context over the stream of the model to
// the saved reply. What must not live here: who speaks (package plan), how a prompt is made (package prompt), how text is
// cut and paced (package speech), and how Discord or a model is spoken to (adapters).
//
// # What accidents come to
//
// Whatever Discord does with a call, there is one reply, what is saved is what people see, and the channel goes on. Below is for
// each operation and accident how the turn ends and what people see of it then: where the accident happens once, and where it
// happens again and again for a while. Of several that make the same of it, one stands for all. What is refused is tried again
// when it may succeed later (an unknown outcome, a limit, an outage), with growing waits; else the turn ends, with a reason in
// the ledger. Where the words are refused and not the place (50006, 50035, and AutoMod's 200000), people read that in their
// stead. A message that can be edited no more (30046) gives its place to a new one. Where the channel refuses to be written to
// at all (10003, 50001, 50013), no process tries again for a quarter of an hour, and whoever runs the bot finds one line in the
// log; nothing is said in the channel, for nothing can be. The table is written by make golden.
//
//	call               accident          once                                                    for 20m
//	create             lost response     answered: all of it                                     answered: all of it
//	create             timeout           answered: all of it                                     answered: all of it
//	create             429 with headers  answered: all of it                                     answered: all of it
//	create             429 without       answered: all of it                                     answered: all of it
//	create             500               answered: all of it                                     answered: all of it
//	create             502               answered: all of it                                     answered: all of it
//	create             10003             failed channel_gone: nothing                            failed channel_gone: nothing
//	create             10008             interrupted reply_deleted: nothing                      interrupted reply_deleted: nothing
//	create             10015             failed send_refused: nothing                            failed send_refused: nothing
//	create             30007             failed send_refused: nothing                            failed send_refused: nothing
//	create             30046             failed send_refused: nothing                            failed send_refused: nothing
//	create             50001             failed send_refused: nothing                            failed send_refused: nothing
//	create             50006             failed words_refused: why there is none                 failed words_refused: nothing
//	create             50013             failed send_refused: nothing                            failed send_refused: nothing
//	create             50027             failed send_refused: nothing                            failed send_refused: nothing
//	create             50035             failed words_refused: why there is none                 failed words_refused: nothing
//	create             160005            failed thread_locked: nothing                           failed thread_locked: nothing
//	create             200000            failed automod: why there is none                       failed automod: nothing
//	edit               lost response     answered: all of it                                     answered: all of it
//	edit               timeout           answered: all of it                                     answered: all of it
//	edit               429 with headers  answered: all of it                                     answered: all of it
//	edit               429 without       answered: all of it                                     answered: all of it
//	edit               500               answered: all of it                                     answered: all of it
//	edit               502               answered: all of it                                     answered: all of it
//	edit               10003             failed channel_gone                                     failed channel_gone
//	edit               10008             interrupted reply_deleted                               interrupted reply_deleted
//	edit               10015             failed edit_refused: what was said                      failed edit_refused: what was said
//	edit               30007             failed edit_refused: what was said                      failed edit_refused: what was said
//	edit               30046             answered: all of it                                     failed edit_refused: what was said
//	edit               50001             failed edit_refused: what was said                      failed edit_refused: what was said
//	edit               50006             failed words_refused: what was said, and why no more    failed words_refused: what was said
//	edit               50013             failed edit_refused: what was said                      failed edit_refused: what was said
//	edit               50027             failed edit_refused: what was said                      failed edit_refused: what was said
//	edit               50035             failed words_refused: what was said, and why no more    failed words_refused: what was said
//	edit               160005            failed thread_locked: what was said                     failed thread_locked: what was said
//	edit               200000            failed automod: what was said, and why no more          failed automod: what was said
//	delete             lost response     answered: all of it                                     answered: all of it
//	delete             timeout           answered: all of it                                     answered: all of it
//	delete             429 with headers  answered: all of it                                     answered: all of it
//	delete             429 without       answered: all of it                                     answered: all of it
//	delete             500               answered: all of it                                     answered: all of it
//	delete             502               answered: all of it                                     answered: all of it
//	delete             10003             answered                                                answered
//	delete             10008             answered                                                answered
//	delete             10015             failed delete_refused: all of it, and what was before   failed delete_refused: all of it, and what was before
//	delete             30007             failed delete_refused: all of it, and what was before   failed delete_refused: all of it, and what was before
//	delete             30046             failed delete_refused: all of it, and what was before   failed delete_refused: all of it, and what was before
//	delete             50001             failed delete_refused: all of it, and what was before   failed delete_refused: all of it, and what was before
//	delete             50006             failed words_refused: all of it, and a note             failed words_refused: all of it, and a note
//	delete             50013             failed delete_refused: all of it, and what was before   failed delete_refused: all of it, and what was before
//	delete             50027             failed delete_refused: all of it, and what was before   failed delete_refused: all of it, and what was before
//	delete             50035             failed words_refused: all of it, and a note             failed words_refused: all of it, and a note
//	delete             160005            failed thread_locked: all of it, and what was before    failed thread_locked: all of it, and what was before
//	delete             200000            failed automod: all of it, and a note                   failed automod: all of it, and a note
//	webhook            lost response     answered: all of it                                     answered: all of it
//	webhook            timeout           answered: all of it                                     answered: all of it
//	webhook            429 with headers  answered: all of it                                     answered: all of it
//	webhook            429 without       answered: all of it                                     answered: all of it
//	webhook            500               answered: all of it                                     answered: all of it
//	webhook            502               answered: all of it                                     answered: all of it
//	webhook            10003             failed channel_gone: nothing                            failed channel_gone: nothing
//	webhook            10008             interrupted reply_deleted: nothing                      interrupted reply_deleted: nothing
//	webhook            10015             answered: all of it                                     answered: all of it, and a note
//	webhook            30007             failed send_refused: nothing                            failed send_refused: nothing
//	webhook            30046             failed send_refused: nothing                            failed send_refused: nothing
//	webhook            50001             failed send_refused: nothing                            failed send_refused: nothing
//	webhook            50006             failed words_refused: why there is none                 failed words_refused: nothing
//	webhook            50013             failed send_refused: nothing                            failed send_refused: nothing
//	webhook            50027             answered: all of it                                     answered: all of it, and a note
//	webhook            50035             failed words_refused: why there is none                 failed words_refused: nothing
//	webhook            160005            failed thread_locked: nothing                           failed thread_locked: nothing
//	webhook            200000            failed automod: why there is none                       failed automod: nothing
//	edit by webhook    lost response     answered: all of it                                     answered: all of it
//	edit by webhook    timeout           answered: all of it                                     answered: all of it
//	edit by webhook    429 with headers  answered: all of it                                     answered: all of it
//	edit by webhook    429 without       answered: all of it                                     answered: all of it
//	edit by webhook    500               answered: all of it                                     answered: all of it
//	edit by webhook    502               answered: all of it                                     answered: all of it
//	edit by webhook    10003             failed channel_gone                                     failed channel_gone
//	edit by webhook    10008             interrupted reply_deleted                               interrupted reply_deleted
//	edit by webhook    10015             answered: all of it                                     failed edit_refused: what was said
//	edit by webhook    30007             failed edit_refused: what was said                      failed edit_refused: what was said
//	edit by webhook    30046             answered: all of it                                     failed edit_refused: what was said
//	edit by webhook    50001             failed edit_refused: what was said                      failed edit_refused: what was said
//	edit by webhook    50006             failed words_refused: what was said, and why no more    failed words_refused: what was said
//	edit by webhook    50013             failed edit_refused: what was said                      failed edit_refused: what was said
//	edit by webhook    50027             answered: all of it                                     failed edit_refused: what was said
//	edit by webhook    50035             failed words_refused: what was said, and why no more    failed words_refused: what was said
//	edit by webhook    160005            failed thread_locked: what was said                     failed thread_locked: what was said
//	edit by webhook    200000            failed automod: what was said, and why no more          failed automod: what was said
//	delete by webhook  lost response     answered: all of it                                     answered: all of it
//	delete by webhook  timeout           answered: all of it                                     answered: all of it
//	delete by webhook  429 with headers  answered: all of it                                     answered: all of it
//	delete by webhook  429 without       answered: all of it                                     answered: all of it
//	delete by webhook  500               answered: all of it                                     answered: all of it
//	delete by webhook  502               answered: all of it                                     answered: all of it
//	delete by webhook  10003             answered                                                answered
//	delete by webhook  10008             answered                                                answered
//	delete by webhook  10015             answered: all of it                                     failed delete_refused: all of it, and what was before
//	delete by webhook  30007             failed delete_refused: all of it, and what was before   failed delete_refused: all of it, and what was before
//	delete by webhook  30046             failed delete_refused: all of it, and what was before   failed delete_refused: all of it, and what was before
//	delete by webhook  50001             failed delete_refused: all of it, and what was before   failed delete_refused: all of it, and what was before
//	delete by webhook  50006             failed words_refused: all of it, and a note             failed words_refused: all of it, and a note
//	delete by webhook  50013             failed delete_refused: all of it, and what was before   failed delete_refused: all of it, and what was before
//	delete by webhook  50027             answered: all of it                                     failed delete_refused: all of it, and what was before
//	delete by webhook  50035             failed words_refused: all of it, and a note             failed words_refused: all of it, and a note
//	delete by webhook  160005            failed thread_locked: all of it, and what was before    failed thread_locked: all of it, and what was before
//	delete by webhook  200000            failed automod: all of it, and a note                   failed automod: all of it, and a note
package turn
