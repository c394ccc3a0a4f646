package draftosaurus

// Greedy returns the number of the choice with the best immediate points, the first of equals. It is
// specified in docs/sample-bots.md.
func Greedy(v *View) int {
	zoo := v.Zoo()
	switch v.Phase {
	case Remove:
		return v.best(func(c Choice) int { return v.worthToNext(c.Species) })
	case Move:
		return v.best(v.afterMove)
	case Pick:
		place := v.bestPlacement(func(place Placement) int { return v.pointsAfter(v.Seat, zoo, place) })
		return v.numberOf(place.Species)
	}
	return v.best(func(c Choice) int { return v.pointsAfter(v.Seat, zoo, c.Placement) })
}

// best returns the number of the legal choice that is worth most, the first of equals.
func (v *View) best(worth func(Choice) int) int {
	best, most := 0, worth(v.Legal[0])
	for _, choice := range v.Legal[1:] {
		if points := worth(choice); points > most {
			best, most = choice.Number, points
		}
	}
	return best
}

// bestPlacement returns the placement of a dinosaur of the hand, bound by the die, that is worth
// most, the first of equals.
func (v *View) bestPlacement(worth func(Placement) int) Placement {
	places := v.Zoo().Placements(v.Board, v.Hand, v.Binding(v.Seat), v.Rules)
	best, most := places[0], worth(places[0])
	for _, place := range places[1:] {
		if points := worth(place); points > most {
			best, most = place, points
		}
	}
	return best
}

// numberOf returns the number of the legal choice of a species.
func (v *View) numberOf(species Species) int {
	for _, choice := range v.Legal {
		if choice.Species == species {
			return choice.Number
		}
	}
	return 0
}

func (v *View) afterMove(move Choice) int {
	after := v.Zoo().Moved(move.Placement)
	return v.Points(v.Seat, &after)
}

func (v *View) pointsAfter(seat int, zoo *Zoo, place Placement) int {
	after := zoo.Plus(place)
	return v.Points(seat, &after)
}

// next returns the seat that gets this seat's hand.
func (v *View) next() int { return (v.Seat + 1) % v.Seats() }

// worthToNext returns the most points that the next seat could have with such a dinosaur.
func (v *View) worthToNext(species Species) int {
	seat := v.next()
	zoo := &v.Zoos[seat]
	most := 0
	for i, place := range zoo.Placements(v.Board, []Species{species}, NoFace, v.Rules) {
		if points := v.pointsAfter(seat, zoo, place); i == 0 || points > most {
			most = points
		}
	}
	return most
}
