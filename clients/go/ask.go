package paddock

import (
	"errors"
	"math/rand/v2"
	"time"

	"paddock/dinotwist"
	"paddock/draftosaurus"
	v1 "paddock/v1"
)

// Formats are the formats whose views this SDK can read.
var Formats = []string{
	"summer", "winter", "two-player", "two-player-winter", "series", "two-player-series",
	"dino-twist", "dino-twist-small",
}

// View is what a seat knows: a *draftosaurus.View or a *dinotwist.View. A type switch tells which:
//
//	switch view := ask.View.(type) {
//	case *draftosaurus.View: ...
//	case *dinotwist.View: ...
//	}
type View interface {
	Choices() int               // how many choices are legal
	Default() int               // the number of what the referee would choose
	Describe(number int) string // a legal choice in words
}

// Ask is a decision that the referee wants from a bot.
type Ask struct {
	ID    uint64
	Match *Match
	View  View          // what this seat knows, with the legal choices
	Time  time.Duration // for this decision before the bank is used
	Bank  time.Duration // what is left in the bank
	Dice  *Dice         // the random numbers of this decision
}

// Below returns a random number from 0 to n-1, the same in every language; Rand is Go's own.
func (a *Ask) Below(n int) int { return a.Dice.Below(n) }

// Rand returns random numbers for this decision; with them `paddock compare` needs fewer matches.
func (a *Ask) Rand() *rand.Rand { return a.Dice.Rand() }

// ReadAsk returns the ask in a message, or an error for values that are unknown here.
func ReadAsk(sent *v1.Ask, match *Match, dice *Dice) (*Ask, error) {
	ask := &Ask{
		ID:    sent.GetAskId(),
		Match: match,
		Time:  time.Duration(sent.GetTimeMs()) * time.Millisecond,
		Bank:  time.Duration(sent.GetBankMs()) * time.Millisecond,
		Dice:  dice,
	}
	if len(sent.GetChoices()) == 0 {
		return nil, errors.New("an ask without a single legal choice")
	}
	var err error
	switch rules := match.Rules.(type) {
	case draftosaurus.Rules:
		ask.View, err = draftosaurus.ReadView(sent, len(match.Seats), rules, match.Format)
	case dinotwist.Rules:
		ask.View, err = dinotwist.ReadView(sent, len(match.Seats), rules, match.Format)
	}
	return ask, err
}
