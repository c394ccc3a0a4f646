package draftosaurus

import (
	"fmt"

	v1 "paddock/v1"
)

// ReadRules returns the rule options in a message.
func ReadRules(sent *v1.DraftosaurusRules) Rules {
	return Rules{
		QuarantineMayStay: sent.GetQuarantineMayStay(),
		FivePlayerDieHold: sent.GetFivePlayerDieHold(),
		PrairieCapacity:   int(sent.GetPrairieCapacity()),
		PlaceAfterReveal:  sent.GetPlaceAfterReveal(),
	}
}

// ReadChoice returns the choice in a message, or an error for values that are unknown here.
func ReadChoice(sent *v1.DraftosaurusChoice, number int) (Choice, error) {
	kind, species, pen := sent.GetKind(), sent.GetSpecies(), sent.GetPen()
	known := kind >= v1.DraftosaurusPhase(Pick) && kind <= v1.DraftosaurusPhase(Move) &&
		species >= v1.Species(TRex) && species < v1.Species(speciesEnd) &&
		pen >= 0 && pen < v1.Pen(penEnd) && sent.GetSlot() < pyramidSlots
	if !known {
		return Choice{}, fmt.Errorf("there is no choice %v", sent)
	}
	place := Placement{Species(species), Pen(pen), int(sent.GetSlot())}
	return Choice{number, Phase(kind), place}, nil
}

// ReadView returns what the seat of an ask knows, or an error for values that are unknown here.
func ReadView(ask *v1.Ask, seats int, rules Rules, format string) (*View, error) {
	sent := ask.GetView().GetDraftosaurus()
	table := sent.GetTable()
	r := &reader{}
	view := &View{
		Seat:      int(ask.GetSeat()),
		Hand:      r.species(sent.GetHand(), TRex),
		Phase:     Phase(r.within("phase", int32(table.GetPhase()), int32(Pick), int32(Over))),
		Board:     Board(r.within("board", int32(table.GetBoard()), int32(Summer), int32(Winter))),
		Die:       Face(r.within("face", int32(table.GetDie()), int32(NoFace), int32(faceEnd)-1)),
		Zoos:      r.zoos(table.GetZoos()),
		Roller:    int(table.GetRoller()),
		Game:      int(table.GetGame()),
		Round:     int(table.GetRound()),
		Turn:      int(table.GetTurn()),
		TurnsDone: int(table.GetTurnsDone()),
		Picks:     r.species(table.GetPicks(), TRex),
		Removed:   r.species(table.GetRemoved(), TRex),
		Rules:     rules,
		Format:    format,
	}
	for _, game := range table.GetFinished() {
		view.Finished = append(view.Finished, r.zoos(game.GetZoos()))
	}
	for number, sent := range ask.GetChoices() {
		choice, err := ReadChoice(sent.GetDraftosaurus(), number)
		if err != nil {
			return nil, err
		}
		view.Legal = append(view.Legal, choice)
	}
	if r.err == nil && (len(view.Zoos) != seats || view.Seat >= seats) {
		r.err = fmt.Errorf("there are %d zoos for %d seats", len(view.Zoos), seats)
	}
	if r.err != nil {
		return nil, r.err
	}
	if seats > 0 {
		view.counts(0) // made now, so that a view can be read by several goroutines
	}
	return view, nil
}

// reader reads values and keeps the first error.
type reader struct{ err error }

func (r *reader) within(what string, value, least, most int32) int32 {
	if value < least || value > most {
		if r.err == nil {
			r.err = fmt.Errorf("%s %d is unknown here", what, value)
		}
		return least
	}
	return value
}

func (r *reader) species(sent []v1.Species, least Species) []Species {
	read := make([]Species, len(sent))
	for i, species := range sent {
		read[i] = Species(r.within("species", int32(species), int32(least), int32(speciesEnd)-1))
	}
	return read
}

func (r *reader) zoos(sent []*v1.Zoo) []Zoo {
	zoos := make([]Zoo, len(sent))
	for seat, zoo := range sent {
		for _, contents := range zoo.GetPens() {
			pen := Pen(r.within("pen", int32(contents.GetPen()), int32(ForestOfSameness), int32(River)))
			least, holds := TRex, zooSize
			if pen == Pyramid {
				least, holds = None, pyramidSlots
			}
			inside := r.species(contents.GetDinosaurs(), least)
			r.within("size of a pen", int32(len(inside)), 0, int32(holds))
			zoos[seat][pen] = inside
		}
	}
	return zoos
}
