package persona_test

import (
	"strings"
	"testing"

	"tsumugi/shared/persona"
)

func TestStopRequest(t *testing.T) {
	yes := []string{
		"stop", "Stop!", "STOOOOP", "stop...", "stop stop stop", "please stop", "Please, stop.", "stop please", "ok enough",
		"okay stop", "alright, stop", "that's enough", "that’s enough!", "thats enough", "enough already", "nevermind",
		"never mind", "stop it please", "stop it, thank you", "mira stop", "Mira, stop!", "stop, mira", "hey mira please stop",
		"lady mira stop", "<@123> stop", "<@!123> please stop", "stop <@123>", "wait", "wait!", "waaait", "wait wait",
		"chill", "halt", "pause", "quit", "cut it out", "tone it down", "knock it off", "**stop**", "stop 🛑", "stop <:no:12>",
		"やめて", "やめて！", "やめてください", "もうやめて", "やめてー", "ストップ", "ストーーップ", "もういい", "もういいよ。",
		"待って", "ちょっと待って", "ねえ、待ってよ", "十分", "もう十分です", "いいよ", "ミラ、やめて", "ミラさんやめて", "mira やめて",
	}
	no := []string{
		"", " ", "!", "?", "stop?", "wait, I have another question", "wait and tea?", "don't stop", "do not stop", "never stop",
		"stop signs are red", "the bus stop", "bus stop", "non-stop", "stopping", "stopwatch", "unstoppable", "nonstop",
		"stop by the harbour", "stop the boat", "please tell me to stop", "enough about me", "quitter", "wait for me",
		"chill music", "pause menu", "that's good advice", "never mind the fog", "> stop", "`stop`", "mirastop", "ana stop",
		"hold on to the rope", "please", "mira", "<@123>", "I said stop and I mean it, right now, you hear me",
		"stop. Tell me about the sea instead.",
		"いいよ、続けて", "十分面白いね", "待ってました", "待ってるよ", "やめないで", "ストップウォッチ", "バスストップ", "もういい天気だね",
		"止めてあるよ車", "ミラ", "十分前に来た",
	}
	names := []string{"Mira", "Lady Mira", "ミラ", ""}
	for _, text := range yes {
		if !persona.StopRequest(text, names...) {
			t.Errorf("%q: want a stop request", text)
		}
	}
	for _, text := range append(no, "ｓｔｏｐ stop", strings.Repeat("stop ", 9), strings.Repeat("stop ", 100_000)) {
		if persona.StopRequest(text, names...) {
			t.Errorf("%q: want none", text)
		}
	}
}

func TestStopRequestNeedsTheName(t *testing.T) {
	if persona.StopRequest("mira stop") || !persona.StopRequest("mira stop", "Mira") {
		t.Error("only a known name may stand before the phrase")
	}
}
