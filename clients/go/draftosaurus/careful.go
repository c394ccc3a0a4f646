package draftosaurus

import (
	"slices"
	"sort"
)

// Careful returns the number of the choice with the most points expected in the end, the first of
// equals: it looks at what pens promise and at what is passed on. It is specified in
// docs/sample-bots.md.
func Careful(v *View) int {
	if v.Phase == Move {
		return v.best(v.afterMove)
	}
	cost := v.passing()
	if v.Phase == Remove {
		return v.best(func(c Choice) int { return -cost(c.Species) })
	}
	mine := v.prospect(v.Seat, v.turnsLeft())
	if len(v.Picks) > 0 {
		return v.best(func(c Choice) int { return mine.after(c.Placement) })
	}
	worth := func(place Placement) int { return 10*mine.after(place) - cost(place.Species) }
	if v.Phase == Pick {
		return v.numberOf(v.bestPlacement(worth).Species)
	}
	return v.best(func(c Choice) int { return worth(c.Placement) })
}

// turnsLeft returns how many turns of this game come after this one.
func (v *View) turnsLeft() int { return 11 - v.TurnsDone%zooSize }

// passing returns what it costs to pass on the hand without one dinosaur of a species.
func (v *View) passing() func(Species) int {
	two, removing := v.Seats() == 2, v.Phase == Remove
	weight, skipped, turns := 2, 0, v.turnsLeft()
	if two {
		weight = 5
	}
	if removing {
		turns--
	} else if two {
		skipped = 1 // D14: the best one will be taken out
	}
	if len(v.Hand) <= 1+skipped || len(v.Picks) > 0 {
		return func(Species) int { return 0 }
	}
	gains := v.gains(turns)
	costs := map[Species]int{}
	return func(species Species) int {
		cost, known := costs[species]
		if !known {
			at := slices.Index(v.Hand, species)
			var listed []int
			for i, other := range v.Hand {
				if i != at {
					listed = append(listed, gains[other])
				}
			}
			sort.Sort(sort.Reverse(sort.IntSlice(listed)))
			if len(listed) > skipped {
				cost = weight * listed[skipped]
			}
			costs[species] = cost
		}
		return cost
	}
}

// gains returns what a dinosaur of each species of the hand would bring the next seat.
func (v *View) gains(turns int) map[Species]int {
	theirs := v.prospect(v.next(), turns)
	now := theirs.worth(theirs.zoo)
	gains := map[Species]int{}
	for _, species := range v.Hand {
		if _, known := gains[species]; known {
			continue
		}
		for i, place := range theirs.zoo.Placements(v.Board, []Species{species}, NoFace, v.Rules) {
			if gain := theirs.after(place) - now; i == 0 || gain > gains[species] {
				gains[species] = gain
			}
		}
	}
	return gains
}

// prospect is what a seat's zoo is worth, in parts of which 1210 * whole are one point.
type prospect struct {
	view   *View
	seat   int
	zoo    *Zoo
	turns  int
	whole  int
	plenty [speciesEnd]int
	pens   map[Pen]promise
}

func (v *View) prospect(seat, turns int) *prospect {
	p := &prospect{view: v, seat: seat, zoo: &v.Zoos[seat], turns: turns}
	var left [speciesEnd]int
	for species := TRex; species < speciesEnd; species++ {
		left[species] = inTheBag[v.Seats()]
		for other := range v.Zoos {
			left[species] -= v.counts(other)[species]
		}
		for _, removed := range v.Removed {
			if removed == species {
				left[species]--
			}
		}
		p.whole += left[species]
	}
	p.whole = max(1, p.whole)
	for species := TRex; species < speciesEnd; species++ {
		p.plenty[species] = 6*left[species] - p.whole
	}
	p.pens = promises[promisesOf{v.Board, v.Seats() == 2}]
	return p
}

func (p *prospect) after(place Placement) int {
	zoo := p.zoo.Plus(place)
	return p.worth(&zoo)
}

// worth returns the points of the zoo, the dinosaur in quarantine at its best, and the promises.
func (p *prospect) worth(zoo *Zoo) int {
	points := p.view.Points(p.seat, zoo)
	if waiting := zoo[Quarantine]; len(waiting) > 0 {
		now, first := points, true
		for _, place := range zoo.Placements(p.view.Board, waiting, NoFace, p.view.Rules) {
			if place.Pen == Quarantine {
				continue
			}
			if moved := p.view.pointsAfter(p.seat, zoo, place); first || moved > points {
				points, first = moved, false
			}
		}
		if first {
			points = now
		}
	}
	worth := 1210 * p.whole * points
	for pen, promised := range p.pens {
		state, plenty := p.state(zoo, pen)
		a, c := promised.states[state], promised.plenty
		worth += p.whole * p.turns * (11*a[0] + p.turns*a[1])
		worth += plenty * p.turns * (11*c[0] + p.turns*c[1])
	}
	return worth
}

// state returns the state that a pen is in, and the plenty of what it wants.
func (p *prospect) state(zoo *Zoo, pen Pen) (state, plenty int) {
	inside := zoo[pen]
	size := len(inside)
	switch pen {
	case ForestOfSameness:
		if size == 0 || size == 6 {
			return size, 0
		}
		return size, p.plenty[inside[0]]
	case WoodyTrio, Pyramid:
		return zoo.Size(pen), 0
	case KingOfTheJungle:
		if size == 0 {
			return 0, 0
		}
		ahead := zoo.Count(inside[0]) - p.view.mostOfOthers(p.seat, inside[0])
		return 3 + max(-2, min(3, ahead)), p.plenty[inside[0]]
	case PrairieOfLove:
		return p.apart(inside, nil, func(here, _ int) bool { return here%2 == 1 }, 4)
	case MeadowOfDifferences:
		return size, -p.sum(inside)
	case SolitaryIsland:
		if size == 0 {
			return 0, 0
		}
		if zoo.Count(inside[0]) > 1 {
			return 2, 0
		}
		return 1, p.plenty[inside[0]]
	case LoversBridgeLeft:
		return p.apart(inside, zoo[LoversBridgeRight], func(l, r int) bool { return l != r }, 5)
	}
	return size, p.sum(inside[max(0, size-2):]) // the wood and the lookout
}

func (p *prospect) sum(species []Species) int {
	sum := 0
	for _, each := range species {
		sum += p.plenty[each]
	}
	return sum
}

// apart returns how many species wait for a partner, at most `most`, and their plenty.
func (p *prospect) apart(here, there []Species, waits func(h, t int) bool, most int) (state, plenty int) {
	var counts [2][speciesEnd]int
	for i, inside := range [][]Species{here, there} {
		for _, species := range inside {
			counts[i][species]++
		}
	}
	for species := TRex; species < speciesEnd; species++ {
		if waits(counts[0][species], counts[1][species]) {
			state++
			plenty += p.plenty[species]
		}
	}
	return min(most, state), plenty
}

// inTheBag is the number of dinosaurs of each species at the start, by seats (D3).
var inTheBag = [...]int{2: 8, 3: 6, 4: 8, 5: 10}
