package draftosaurus

import "fmt"

// Rules are the rule options of a match.
type Rules struct {
	QuarantineMayStay bool // A1
	FivePlayerDieHold bool // A2
	PrairieCapacity   int  // A3; 0: any number
	PlaceAfterReveal  bool // A4
}

// Placement is a dinosaur, a pen and a slot; the slot is 0 everywhere but in the pyramid.
type Placement struct {
	Species Species
	Pen     Pen
	Slot    int
}

// Choice is one decision: Place a dinosaur in a pen, Pick one, Remove one, or Move the one in
// quarantine (to Quarantine itself: it stays). Pick and Remove name no pen.
type Choice struct {
	Number int // in the list of legal choices; what a bot's Choose returns
	Kind   Phase
	Placement
}

func (c Choice) String() string {
	switch c.Pen {
	case NoPen:
		return fmt.Sprintf("%v %v", c.Kind, c.Species)
	case Pyramid:
		return fmt.Sprintf("%v %v in %v slot %d", c.Kind, c.Species, c.Pen, c.Slot)
	}
	return fmt.Sprintf("%v %v in %v", c.Kind, c.Species, c.Pen)
}

// View is what one seat knows: the open table and its own hand. It is not to be changed.
type View struct {
	Seat      int       // this bot's
	Hand      []Species // this seat's own, in the order of the species
	Legal     []Choice  // what this seat may choose, in a fixed order; never empty
	Zoos      []Zoo     // everybody's, by seat
	Phase     Phase     // what is being decided
	Board     Board     // the side of the board that is played on
	Die       Face      // what the die shows
	Roller    int       // the seat that holds the die
	Game      int       // which game of the match this is, from 0: a series has two
	Round     int       // which round of the game this is, from 0
	Turn      int       // which turn of the round this is, from 0
	TurnsDone int       // turns of the match that are over; a game has 12
	Picks     []Species // what everybody picked, by seat, between reveal and placing (A4)
	Removed   []Species // what was removed from this game; two players only (D14)
	Finished  [][]Zoo   // the zoos of the games that are over, by game and by seat
	Rules     Rules     // the rule options of the match
	Format    string    // that is played
	counted   [][speciesEnd]int
}

// Zoo returns this seat's own zoo.
func (v *View) Zoo() *Zoo { return &v.Zoos[v.Seat] }

// Seats returns how many play.
func (v *View) Seats() int { return len(v.Zoos) }

// Choices returns how many choices are legal.
func (v *View) Choices() int { return len(v.Legal) }

// Describe returns a legal choice in words.
func (v *View) Describe(number int) string { return v.Legal[number].String() }

// Default returns the number of what the referee would choose: the first choice into the river,
// or the first of all where no pen is chosen.
func (v *View) Default() int {
	for _, choice := range v.Legal {
		if choice.Pen == River {
			return choice.Number
		}
	}
	return 0
}

// LegalByPen returns the legal choices that name a pen, sorted by that pen.
func (v *View) LegalByPen() map[Pen][]Choice {
	byPen := map[Pen][]Choice{}
	for _, choice := range v.Legal {
		if choice.Pen != NoPen {
			byPen[choice.Pen] = append(byPen[choice.Pen], choice)
		}
	}
	return byPen
}

// Binding returns the face of the die that binds a seat; NoFace for the roller (D8), unless the die
// was held (A2).
func (v *View) Binding(seat int) Face {
	held := v.Rules.FivePlayerDieHold && v.Seats() == 5 && v.Turn == 5
	if seat == v.Roller && !held {
		return NoFace
	}
	return v.Die
}

// counts returns how many of each species a seat has.
func (v *View) counts(seat int) *[speciesEnd]int {
	if v.counted == nil {
		for each := range v.Zoos {
			v.counted = append(v.counted, v.Zoos[each].Counts())
		}
	}
	return &v.counted[seat]
}
