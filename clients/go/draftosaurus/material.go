// Package draftosaurus has what a bot sees of Draftosaurus, and what it can work out from it.
//
// The rules are told in docs/rules/draftosaurus.md; comments cite their numbers (D22, A3).
package draftosaurus

import v1 "paddock/v1"

// Species is a kind of dinosaur, in the order of the rules.
type Species uint8

// The species; None is a free slot of the pyramid.
const (
	None Species = iota
	TRex
	Diplodocus
	Triceratops
	Spinosaurus
	Stegosaurus
	Parasaurolophus
)

const speciesEnd = Parasaurolophus + 1

func (s Species) String() string { return name(v1.Species(s).String(), "SPECIES_") }

// Pen is a place in a zoo: the six pens of either board, and the river.
type Pen uint8

// The pens in the order of the boards; NoPen is the pen of a choice that names none.
const (
	NoPen Pen = iota
	ForestOfSameness
	WoodyTrio
	KingOfTheJungle
	PrairieOfLove
	MeadowOfDifferences
	SolitaryIsland
	WellOrderedWood
	Lookout
	LoversBridgeLeft
	LoversBridgeRight
	Pyramid
	Quarantine
	River
)

const penEnd = River + 1

func (p Pen) String() string { return name(v1.Pen(p).String(), "PEN_") }

// Face is a face of the die: it says which pens a seat that did not roll may use.
type Face uint8

// The faces of the die.
const (
	NoFace Face = iota
	Woodlands
	Grasslands
	Restrooms
	FoodCourt
	EmptyPen
	NoTRex
)

const faceEnd = NoTRex + 1

func (f Face) String() string { return name(v1.Face(f).String(), "FACE_") }

// Board is a side of the board.
type Board uint8

// The two sides of the board.
const (
	Summer Board = iota + 1
	Winter
)

func (b Board) String() string { return name(v1.Board(b).String(), "BOARD_") }

// Pens returns the places of the board in order, the river last.
func (b Board) Pens() []Pen {
	if b == Winter {
		return winterPens
	}
	return summerPens
}

var (
	summerPens = []Pen{
		ForestOfSameness, WoodyTrio, KingOfTheJungle,
		PrairieOfLove, MeadowOfDifferences, SolitaryIsland, River,
	}
	winterPens = []Pen{
		WellOrderedWood, Lookout, LoversBridgeLeft,
		LoversBridgeRight, Pyramid, Quarantine, River,
	}
)

// Phase is what is being decided, and the kind of a choice.
type Phase uint8

// The phases; nothing is decided in Over.
const (
	Pick Phase = iota + 1
	Place
	Remove
	Move
	Over
)

func (p Phase) String() string { return name(v1.DraftosaurusPhase(p).String(), "DRAFTOSAURUS_PHASE_") }

// name returns the word that the rules use, without the prefix that the wire has.
func name(wire, prefix string) string {
	if len(wire) > len(prefix) && wire[:len(prefix)] == prefix {
		return wire[len(prefix):]
	}
	return wire
}

// Of each pen: the face of its section, the face of its side of the river, and how many it holds.
var plots = [penEnd]struct {
	section, side Face
	holds         int
}{
	ForestOfSameness:    {Woodlands, FoodCourt, 6},
	WoodyTrio:           {Woodlands, FoodCourt, 3},
	KingOfTheJungle:     {Woodlands, Restrooms, 1},
	PrairieOfLove:       {Grasslands, FoodCourt, zooSize},
	MeadowOfDifferences: {Grasslands, Restrooms, 6},
	SolitaryIsland:      {Grasslands, Restrooms, 1},
	WellOrderedWood:     {Woodlands, FoodCourt, 6},
	Lookout:             {Woodlands, Restrooms, 1},
	LoversBridgeLeft:    {Woodlands, FoodCourt, zooSize},
	LoversBridgeRight:   {Grasslands, Restrooms, zooSize}, // A6
	Pyramid:             {Grasslands, Restrooms, pyramidSlots},
	Quarantine:          {Grasslands, FoodCourt, 1},
	River:               {NoFace, NoFace, zooSize}, // D18
}

const (
	zooSize      = 12 // D12
	pyramidSlots = 6
)

// D21: the rows of the pyramid; D22: the slots that touch each slot.
var (
	pyramidRows    = [][]int{{0, 1, 2}, {3, 4}, {5}}
	pyramidTouches = [pyramidSlots][]int{{1, 3}, {0, 2, 3, 4}, {1, 4}, {0, 1, 4, 5}, {1, 2, 3, 5}, {3, 4}}
)

// Points by the number of dinosaurs in the pen.
var (
	rowPoints     = [...]int{0, 2, 4, 8, 12, 18, 24} // forest and wood
	meadowPoints  = [...]int{0, 1, 3, 6, 10, 15, 21}
	pyramidPoints = [...]int{0, 2, 4, 6, 10, 14, 21}
)

const (
	trioPoints          = 7
	kingPoints          = 7
	islandPoints        = 7
	prairieCouplePoints = 5
	bridgeCouplePoints  = 6
	lookoutPoints       = 2
)
