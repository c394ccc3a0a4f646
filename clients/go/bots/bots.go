// Package bots has the sample bots, each a few lines to learn from. docs/sample-bots.md says to the
// last tie what they choose.
package bots

import (
	"paddock"
	"paddock/dinotwist"
	"paddock/draftosaurus"
)

// Random is a bot that plays any legal choice, each equally likely.
type Random struct{}

// Choose returns the number of any legal choice.
func (Random) Choose(ask *paddock.Ask) (int, error) {
	return ask.Below(ask.View.Choices()), nil
}

// Greedy is a bot that takes the best immediate points.
type Greedy struct{}

// Choose returns the number of the choice after which this seat would have the most points.
func (Greedy) Choose(ask *paddock.Ask) (int, error) {
	return byGame(ask, draftosaurus.Greedy, dinotwist.Greedy), nil
}

// Careful is a bot that considers later turns and what it leaves to others.
type Careful struct{}

// Choose returns the number of the choice that promises the most points in the end.
func (Careful) Choose(ask *paddock.Ask) (int, error) {
	return byGame(ask, draftosaurus.Careful, dinotwist.Careful), nil
}

func byGame(ask *paddock.Ask, first func(*draftosaurus.View) int, second func(*dinotwist.View) int) int {
	switch view := ask.View.(type) {
	case *draftosaurus.View:
		return first(view)
	case *dinotwist.View:
		return second(view)
	}
	return ask.View.Default()
}
