// Package dinotwist has what a bot sees of Dino Twist, and what it can work out from it.
//
// The rules are told in docs/rules/dino-twist.md; comments cite their numbers (T10, B8).
package dinotwist

import (
	"fmt"
	"strings"

	v1 "paddock/v1"
)

// Species is a kind of Dino, in the order of the rules.
type Species uint8

// The species; NoSpecies is that of a choice that names none.
const (
	NoSpecies Species = iota
	Aqua
	Karni
	Herbi
	Voli
)

func (s Species) String() string {
	return strings.TrimPrefix(v1.DinoTwistSpecies(s).String(), "DINO_TWIST_SPECIES_")
}

// Territory is a place on an island; Twist Island and every seat's island have them all.
type Territory uint8

// The territories; Nowhere is that of a choice that names none.
const (
	Nowhere Territory = iota
	Mountains
	Cliff
	Jungle
	Desert
	Riverside
	Hill
	Beach
	Sea
)

const territoryEnd = Sea + 1

func (t Territory) String() string {
	return strings.TrimPrefix(v1.DinoTwistTerritory(t).String(), "DINO_TWIST_TERRITORY_")
}

// Species returns the species that lives on the territory (T2).
func (t Territory) Species() Species { return homes[t] }

var homes = [territoryEnd]Species{
	Mountains: Voli, Cliff: Voli, Jungle: Karni, Desert: Karni,
	Riverside: Herbi, Hill: Herbi, Beach: Aqua, Sea: Aqua,
}

// EventKind is what an event card does.
type EventKind uint8

// The events; NoEvent: none applies (B3).
const (
	NoEvent EventKind = iota
	Meteor
	Fury
	Volcano
	NeverTwoWithoutThree
	Alone
	Earthquake
	Tornado
	NewGenerations
	Carnage
	Help
)

func (k EventKind) String() string {
	return strings.TrimPrefix(v1.DinoTwistEventKind(k).String(), "DINO_TWIST_EVENT_KIND_")
}

// Phase is what is being decided.
type Phase uint8

// The phases; nothing is decided in PhaseOver.
const (
	PhaseDiscard Phase = iota + 1
	PhasePlay
	PhaseAttack
	PhaseOver
)

func (p Phase) String() string {
	return strings.TrimPrefix(v1.DinoTwistPhase(p).String(), "DINO_TWIST_PHASE_")
}

// Kind is what a choice is.
type Kind uint8

// The kinds of choices.
const (
	Play Kind = iota + 1
	Bury
	Attack
	Discard
)

func (k Kind) String() string {
	return strings.TrimPrefix(v1.DinoTwistKind(k).String(), "DINO_TWIST_KIND_")
}

// Card is a Dino card; the zero Card is no card, and has strength 0.
type Card struct {
	Species  Species
	Strength int // 2 to 10; a baby has 1
	Claw     bool
}

func (c Card) String() string {
	if c.Claw {
		return fmt.Sprintf("%v-%d-CLAW", c.Species, c.Strength)
	}
	return fmt.Sprintf("%v-%d", c.Species, c.Strength)
}

// Event is an event card.
type Event struct {
	Kind      EventKind
	Territory Territory // of a Meteor
	Species   Species   // of a Fury
}

// Bonus returns how much more a play of the species counts.
func (e Event) Bonus(species Species) int {
	switch {
	case e.Kind == Carnage:
		return 2
	case e.Kind == Fury && e.Species == species:
		return 3
	}
	return 0
}

// Island is who lives where, by territory; the zero Card where nobody does.
type Island [territoryEnd]Card

// Strength returns the strengths on the island together.
func (i *Island) Strength() int {
	sum := 0
	for _, card := range i {
		sum += card.Strength
	}
	return sum
}

// Claws returns how many cards with a claw are on the island.
func (i *Island) Claws() int {
	claws := 0
	for _, card := range i {
		claws += claw(card)
	}
	return claws
}

// Gaps returns how many territories are empty.
func (i *Island) Gaps() int {
	gaps := 0
	for _, card := range i[Mountains:] {
		if card.Strength == 0 {
			gaps++
		}
	}
	return gaps
}

func claw(card Card) int {
	if card.Claw {
		return 1
	}
	return 0
}
