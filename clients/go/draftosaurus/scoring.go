package draftosaurus

import "slices"

// Score is the points of one zoo.
type Score struct {
	Total int
	Parts map[string]int // by pen, LOVERS_BRIDGE for both banks, RIVER and T_REX_BONUS
	TRexs int            // they decide ties (D24)
}

// Scores returns everybody's points as the table stands, by seat.
func (v *View) Scores() []Score {
	scores := make([]Score, len(v.Zoos))
	for seat := range v.Zoos {
		score := Score{Parts: map[string]int{}, TRexs: v.Zoos[seat].Count(TRex)}
		v.score(seat, &v.Zoos[seat], func(part string, points int) {
			score.Parts[part] += points
			score.Total += points
		})
		scores[seat] = score
	}
	return scores
}

// Points returns the points of a seat if its zoo were this one and the others as they are.
func (v *View) Points(seat int, zoo *Zoo) int {
	total := 0
	v.score(seat, zoo, func(_ string, points int) { total += points })
	return total
}

// score tells the points of a zoo part by part; every part of the board is told.
func (v *View) score(seat int, zoo *Zoo, tell func(part string, points int)) {
	counts := zoo.Counts()
	bonus := 0
	for _, pen := range v.Board.Pens() {
		switch pen {
		case LoversBridgeLeft:
			tell("LOVERS_BRIDGE", bridgeCouplePoints*couples(zoo))
		case LoversBridgeRight, Quarantine: // told with the left bank; worth nothing
		default:
			tell(pen.String(), v.penPoints(seat, zoo, pen, &counts))
		}
		pays := pen != River && (pen != Quarantine || v.Rules.QuarantineMayStay) // D23, A1
		if pays && slices.Contains(zoo[pen], TRex) {
			bonus++
		}
	}
	tell("T_REX_BONUS", bonus)
}

func (v *View) penPoints(seat int, zoo *Zoo, pen Pen, counts *[speciesEnd]int) int {
	inside := zoo[pen]
	if len(inside) == 0 {
		return 0
	}
	switch pen {
	case ForestOfSameness, WellOrderedWood:
		return rowPoints[len(inside)]
	case WoodyTrio:
		if len(inside) == 3 {
			return trioPoints
		}
	case KingOfTheJungle:
		if counts[inside[0]] >= v.mostOfOthers(seat, inside[0]) {
			return kingPoints
		}
	case PrairieOfLove:
		return prairieCouplePoints * prairieCouples(inside)
	case MeadowOfDifferences:
		return meadowPoints[len(inside)]
	case SolitaryIsland:
		if counts[inside[0]] == 1 {
			return islandPoints
		}
	case Lookout: // D5: on the right of a seat is the one with the next lower number
		right := (seat + len(v.Zoos) - 1) % len(v.Zoos)
		return lookoutPoints * v.counts(right)[inside[0]]
	case Pyramid:
		return pyramidPoints[zoo.Size(Pyramid)]
	case River:
		return len(inside)
	}
	return 0
}

// mostOfOthers returns the most of a species that another seat has.
func (v *View) mostOfOthers(seat int, species Species) int {
	most := 0
	for other := range v.Zoos {
		if other != seat {
			most = max(most, v.counts(other)[species])
		}
	}
	return most
}

func prairieCouples(inside []Species) int {
	var counts [speciesEnd]int
	couples := 0
	for _, species := range inside {
		counts[species]++
		if counts[species]%2 == 0 {
			couples++
		}
	}
	return couples
}

// couples returns the couples of Lovers' Bridge, one member on each bank (D20).
func couples(zoo *Zoo) int {
	var left [speciesEnd]int
	for _, species := range zoo[LoversBridgeLeft] {
		left[species]++
	}
	couples := 0
	for _, species := range zoo[LoversBridgeRight] {
		if left[species] > 0 {
			left[species]--
			couples++
		}
	}
	return couples
}
