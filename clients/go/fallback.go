package paddock

import (
	"fmt"
	"runtime/debug"
	"strings"

	v1 "paddock/v1"
)

const mostCharacters = 200 // of a reason; the server cuts what is longer

// chosen is what came of a call of Choose: a number, or the reason why there is none.
type chosen struct {
	number int
	reason string // empty: the bot chose
	stack  string // of a panic
}

// choose calls the bot's Choose, and catches whatever goes wrong in it.
func choose(bot Bot, ask *Ask) (result chosen) {
	defer func() {
		if problem := recover(); problem != nil {
			result = chosen{reason: fmt.Sprintf("panic: %v", problem), stack: string(debug.Stack())}
		}
	}()
	number, err := bot.Choose(ask)
	switch {
	case err != nil:
		return chosen{reason: fmt.Sprintf("%T: %v", err, err)}
	case number < 0 || number >= ask.View.Choices():
		sentence := "Choose returned %d, which is not the number of one of %d legal choices"
		return chosen{reason: fmt.Sprintf(sentence, number, ask.View.Choices())}
	}
	return chosen{number: number}
}

// answer returns the answer with the number of a choice.
func answer(askID uint64, number int) *v1.Choice {
	return &v1.Choice{AskId: askID, Answer: &v1.Choice_Number{Number: uint32(number)}}
}

// fallback returns the answer of a client whose bot did not choose: the referee plays its default.
func fallback(askID uint64, reason string) *v1.Choice {
	reason = strings.ToValidUTF8(reason, "\uFFFD")
	if characters := []rune(reason); len(characters) > mostCharacters {
		reason = string(characters[:mostCharacters])
	}
	return &v1.Choice{AskId: askID, Fallback: reason}
}
