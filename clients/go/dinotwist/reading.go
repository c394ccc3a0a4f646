package dinotwist

import (
	"fmt"

	v1 "paddock/v1"
)

// ReadRules returns the rule options in a message, or an error for a version that is unknown here.
func ReadRules(sent *v1.DinoTwistRules) (Rules, error) {
	rules := Rules{
		ClawCopies:        1,
		ClawStrengths:     sent.GetClawStrengths(),
		QuietFirstRound:   sent.GetQuietFirstRound(),
		GraveyardPerCard:  sent.GetGraveyardPerCard(),
		EqualsInSeatOrder: sent.GetEqualsInSeatOrder(),
		AttackWithPlay:    sent.GetAttackWithPlay(),
		FizzledReturns:    sent.GetFizzledReturns(),
		AttackMayBeWaived: sent.GetAttackMayBeWaived(),
		MustSettle:        sent.GetMustSettle(),
		BuryBySpecies:     sent.GetBuryBySpecies(),
		BuryByTerritory:   sent.GetBuryByTerritory(),
		BabiesReshuffled:  sent.GetBabiesReshuffled(),
		OthersDrawLast:    sent.GetOthersDrawLast(),
		DiscardInTurn:     sent.GetDiscardInTurn(),
		IslandBonusTies:   "share",
		SmallSeats:        sent.GetSmallSeats(),
		Version:           max(1, int(sent.GetVersion())),
	}
	if sent != nil && sent.ClawCopies != nil {
		rules.ClawCopies = int(sent.GetClawCopies())
	}
	if sent != nil && sent.IslandBonusTies != nil {
		rules.IslandBonusTies = sent.GetIslandBonusTies()
	}
	if rules.Version > RulesVersion {
		return rules, fmt.Errorf("version %d of the rules is unknown here", rules.Version)
	}
	return rules, nil
}

// ReadChoice returns the choice in a message, or an error for values that are unknown here.
func ReadChoice(sent *v1.DinoTwistChoice, number int) (Choice, error) {
	r := &reader{}
	choice := r.choice(sent, number)
	return choice, r.err
}

// ReadView returns what the seat of an ask knows, or an error for values that are unknown here.
func ReadView(ask *v1.Ask, seats int, rules Rules, format string) (*View, error) {
	sent := ask.GetView().GetDinoTwist()
	table := sent.GetTable()
	r := &reader{}
	view := &View{
		Seat:          int(ask.GetSeat()),
		Hand:          r.cards(sent.GetHand()),
		Phase:         Phase(r.within("phase", int32(table.GetPhase()), 1, int32(PhaseOver))),
		Round:         int(table.GetRound()),
		Event:         r.event(table.GetEvent()),
		Asked:         numbers(table.GetAsked()),
		Twist:         r.island(table.GetTwist()),
		IslandBonuses: numbers(table.GetIslandBonuses()),
		Discards:      r.cards(table.GetDiscards()),
		Discarded:     r.cards(sent.GetDiscarded()),
		FaceDown:      numbers(table.GetFaceDown()),
		HandSizes:     numbers(table.GetHandSizes()),
		PileSize:      int(table.GetPileSize()),
		Rules:         rules,
		Format:        format,
	}
	for _, event := range table.GetShown() {
		view.Events = append(view.Events, r.event(event))
	}
	for _, island := range table.GetIslands() {
		view.Islands = append(view.Islands, r.island(island))
	}
	for _, graveyard := range table.GetGraveyards() {
		entries := [][]Card{}
		for _, entry := range graveyard.GetEntries() {
			entries = append(entries, r.cards(entry.GetCards()))
		}
		view.Graveyards = append(view.Graveyards, entries)
	}
	for _, group := range table.GetWaiting() {
		view.Waiting = append(view.Waiting, numbers(group.GetSeats()))
	}
	view.Plays = r.plays(table.GetPlays(), seats)
	for number, choice := range ask.GetChoices() {
		view.Legal = append(view.Legal, r.choice(choice.GetDinoTwist(), number))
	}
	complete := len(view.Islands) == seats && len(view.Graveyards) == seats &&
		len(view.IslandBonuses) == seats && view.Seat < seats
	if r.err == nil && !complete {
		r.err = fmt.Errorf("there are %d islands for %d seats", len(view.Islands), seats)
	}
	if r.err != nil {
		return nil, r.err
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

func (r *reader) species(sent v1.DinoTwistSpecies, least Species) Species {
	return Species(r.within("species", int32(sent), int32(least), int32(Voli)))
}

func (r *reader) territory(sent v1.DinoTwistTerritory, least Territory) Territory {
	return Territory(r.within("territory", int32(sent), int32(least), int32(Sea)))
}

func (r *reader) card(sent *v1.DinoTwistCard) Card {
	strength := r.within("strength", int32(sent.GetStrength()), 1, 10)
	return Card{r.species(sent.GetSpecies(), Aqua), int(strength), sent.GetClaw()}
}

func (r *reader) cards(sent []*v1.DinoTwistCard) []Card {
	cards := make([]Card, len(sent))
	for i, card := range sent {
		cards[i] = r.card(card)
	}
	return cards
}

func (r *reader) event(sent *v1.DinoTwistEvent) Event {
	kind := r.within("event", int32(sent.GetKind()), int32(NoEvent), int32(Help))
	return Event{
		EventKind(kind), r.territory(sent.GetTerritory(), Nowhere), r.species(sent.GetSpecies(), NoSpecies),
	}
}

func (r *reader) island(sent *v1.DinoTwistIsland) Island {
	var island Island
	for _, resident := range sent.GetResidents() {
		island[r.territory(resident.GetTerritory(), Mountains)] = r.card(resident.GetCard())
	}
	return island
}

func (r *reader) choice(sent *v1.DinoTwistChoice, number int) Choice {
	return Choice{
		Number:    number,
		Kind:      Kind(r.within("kind of choice", int32(sent.GetKind()), int32(Play), int32(Discard))),
		Cards:     r.cards(sent.GetCards()),
		Species:   r.species(sent.GetSpecies(), NoSpecies),
		Territory: r.territory(sent.GetTerritory(), Nowhere),
		Settle:    r.territory(sent.GetSettle(), Nowhere),
		FaceDown:  int(sent.GetFaceDown()),
	}
}

func (r *reader) plays(sent []*v1.DinoTwistRevealed, seats int) []*Choice {
	if len(sent) == 0 {
		return nil
	}
	plays := make([]*Choice, seats)
	for _, revealed := range sent {
		choice := r.choice(revealed.GetChoice(), -1)
		if seat := r.within("seat", int32(revealed.GetSeat()), 0, int32(seats)-1); seat < int32(seats) {
			plays[seat] = &choice
		}
	}
	return plays
}

func numbers(sent []uint32) []int {
	read := make([]int, len(sent))
	for i, number := range sent {
		read[i] = int(number)
	}
	return read
}
