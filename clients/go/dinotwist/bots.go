package dinotwist

// Greedy returns the number of the choice with the best immediate points, the first of equals. It is
// specified in docs/sample-bots.md.
func Greedy(v *View) int {
	return v.best(func(choice Choice) int {
		switch choice.Kind {
		case Play:
			return v.bestWay(choice, v.won)
		case Bury:
			return 2 * v.buried(choice)
		case Attack:
			return v.won(choice, Way{choice.Territory, choice.Settle})
		}
		return 0
	})
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

// bestWay returns what the best way of a play is worth; 0 where there is none.
func (v *View) bestWay(play Choice, worth func(Choice, Way) int) int {
	most := 0
	for i, way := range v.Ways(play) {
		if points := worth(play, way); i == 0 || points > most {
			most = points
		}
	}
	return most
}

// won returns the strength that the own island wins on a way of a play.
func (v *View) won(_ Choice, way Way) int {
	if way.Territory == Nowhere || way.Settle == Nowhere {
		return 0
	}
	return v.Twist[way.Territory].Strength - v.Island()[way.Settle].Strength
}

// buried returns how many entries a burial counts for (B4).
func (v *View) buried(bury Choice) int {
	if v.Rules.GraveyardPerCard {
		return len(bury.Cards)
	}
	return 1
}

const (
	point  = 2520 // parts, which 1 to 10 divide
	events = 10   // that show in a game
)

// Careful returns the number of the choice with the most points expected in the end, the first of
// equals: it looks at bonuses, at what it leaves to others, and at its hand. It is specified in
// docs/sample-bots.md.
func Careful(v *View) int {
	p := v.prospect()
	return v.best(func(choice Choice) int {
		switch choice.Kind {
		case Play:
			return v.bestWay(choice, p.way) - p.spent(choice)
		case Bury:
			return 2*point*v.buried(choice) - p.spent(choice)
		case Attack:
			play := v.play()
			if choice.Territory == Nowhere || play == nil {
				return 0
			}
			return p.way(*play, Way{choice.Territory, choice.Settle})
		}
		return newCards(choice)
	})
}

// play returns what this seat revealed this round; nil: nothing.
func (v *View) play() *Choice {
	if v.Seat < len(v.Plays) {
		return v.Plays[v.Seat]
	}
	return nil
}

// newCards returns the strength that new cards are expected to add, compared with the discarded.
func newCards(discard Choice) int {
	sum := 0
	for _, card := range discard.Cards {
		sum += 4 - card.Strength
	}
	return sum
}

// prospect is what choices are worth as the table stands, in parts of a point.
type prospect struct {
	view   *View
	rounds int // after this one
	fill   int // what filling a territory brings towards the island bonus
}

func (v *View) prospect() prospect {
	p := prospect{view: v, rounds: events - len(v.Events)}
	if gaps := v.Island().Gaps(); gaps <= p.rounds+1 {
		p.fill = v.bonusLeft() * point / (gaps + 1)
	}
	return p
}

// bonusLeft returns the highest island bonus that no seat has (T15).
func (v *View) bonusLeft() int {
	given := map[int]bool{}
	for _, bonus := range v.IslandBonuses {
		given[bonus] = true
	}
	for _, bonus := range []int{10, 5, 3} {
		if !given[bonus] {
			return bonus
		}
	}
	return 0
}

// spent returns what the cards of a choice would be worth in the hand.
func (p prospect) spent(choice Choice) int {
	sum := 0
	for _, card := range choice.Cards {
		sum += card.Strength - 6
	}
	return point / 10 * min(2, p.rounds) * sum
}

// way returns what a way of a play is worth.
func (p prospect) way(play Choice, way Way) int {
	beaten := p.view.Twist[way.Territory]
	worth := -point / 30 * p.rounds * (stays(play).Strength - beaten.Strength)
	if way.Settle == Nowhere {
		return worth
	}
	there := p.view.Island()[way.Settle]
	worth += point*p.view.won(play, way) + 2*point*(claw(beaten)-claw(there))
	if there.Strength == 0 {
		worth += p.fill
	}
	return worth
}

// stays returns the card of a play that stays on Twist Island: the weakest of the species that
// attacks; of equals one without a claw.
func stays(play Choice) Card {
	var weakest Card
	for _, card := range play.Cards {
		if card.Species != play.Species {
			continue
		}
		weaker := card.Strength < weakest.Strength ||
			card.Strength == weakest.Strength && !card.Claw
		if weakest.Strength == 0 || weaker {
			weakest = card
		}
	}
	return weakest
}
