package dinotwist

import (
	"fmt"
	"strconv"
	"strings"
)

// Small is the format in which every island is small (T17).
const Small = "dino-twist-small"

// RulesVersion is the newest version of the rules that is known here.
const RulesVersion = 2

// Rules are the rule options of a match, and the version of the rules.
type Rules struct {
	ClawCopies        int
	ClawStrengths     string
	QuietFirstRound   bool
	GraveyardPerCard  bool
	EqualsInSeatOrder bool
	AttackWithPlay    bool
	FizzledReturns    bool
	AttackMayBeWaived bool
	MustSettle        bool
	BuryBySpecies     bool // version 1 only
	BuryByTerritory   bool
	BabiesReshuffled  bool
	OthersDrawLast    bool
	DiscardInTurn     bool
	IslandBonusTies   string
	SmallSeats        string
	Version           int
}

// Choice is one decision. Which fields it has depends on its kind.
type Choice struct {
	Number    int       // in the list of legal choices; what a bot's Choose returns
	Kind      Kind      // what it is
	Cards     []Card    // that are played, buried or discarded
	Species   Species   // that a Play attacks
	Territory Territory // that an Attack attacks; a Play names one only with AttackWithPlay
	Settle    Territory // where the beaten Dino settles; Nowhere: it is discarded
	FaceDown  int       // how many cards another seat discarded
}

func (c Choice) String() string {
	if c.Kind == Attack {
		switch {
		case c.Territory == Nowhere:
			return "ATTACK nothing"
		case c.Settle == Nowhere:
			return fmt.Sprintf("ATTACK %v and discard what is beaten", c.Territory)
		}
		return fmt.Sprintf("ATTACK %v and settle in %v", c.Territory, c.Settle)
	}
	words := []string{c.Kind.String()}
	for _, card := range c.Cards {
		words = append(words, card.String())
	}
	if c.Kind == Play && len(c.Cards) == 2 && c.Cards[0].Species != c.Cards[1].Species {
		words = append(words, "as "+c.Species.String())
	}
	if c.Territory != Nowhere {
		words = append(words, "at "+c.Territory.String())
	}
	if c.FaceDown > 0 {
		words = append(words, strconv.Itoa(c.FaceDown)+" face down")
	}
	if len(words) == 1 {
		words = append(words, "nothing")
	}
	return strings.Join(words, " ")
}

// View is what one seat knows: the open table and its own cards. It is not to be changed.
type View struct {
	Seat          int        // this bot's
	Hand          []Card     // this seat's own, by species, then strength, claws first
	Legal         []Choice   // what this seat may choose, in a fixed order; never empty
	Phase         Phase      // what is being decided
	Round         int        // which round of the game this is, from 0
	Event         Event      // the one that applies
	Events        []Event    // all that have shown, the one that shows included
	Asked         []int      // the seats that decide now
	Twist         Island     // Twist Island
	Islands       []Island   // everybody's, by seat
	Graveyards    [][][]Card // everybody's, by seat: entries of one card or more
	IslandBonuses []int      // the bonuses for filled islands, by seat (T15)
	Discards      []Card     // what lies face up on the discard pile
	Discarded     []Card     // what this seat laid face down on the discard pile
	FaceDown      []int      // how many cards each seat laid face down, by seat
	HandSizes     []int      // how many cards everybody holds, by seat
	PileSize      int        // how many cards are left to draw before the discards are shuffled
	Plays         []*Choice  // what was revealed this round, by seat; nil: nothing
	Waiting       [][]int    // the seats still to act, those of equal strength together
	Rules         Rules      // the rule options of the match
	Format        string     // that is played
}

// Island returns this seat's own island.
func (v *View) Island() *Island { return &v.Islands[v.Seat] }

// Graveyard returns this seat's own graveyard: entries of one card or more.
func (v *View) Graveyard() [][]Card { return v.Graveyards[v.Seat] }

// Seats returns how many play.
func (v *View) Seats() int { return len(v.Islands) }

// Choices returns how many choices are legal.
func (v *View) Choices() int { return len(v.Legal) }

// Describe returns a legal choice in words.
func (v *View) Describe(number int) string { return v.Legal[number].String() }

// Default returns the number of what the referee would choose: the first.
func (v *View) Default() int { return 0 }

// LegalByKind returns the legal choices, sorted by what they are.
func (v *View) LegalByKind() map[Kind][]Choice {
	byKind := map[Kind][]Choice{}
	for _, choice := range v.Legal {
		byKind[choice.Kind] = append(byKind[choice.Kind], choice)
	}
	return byKind
}

// HasSmallIsland tells whether a seat has a Small T-Rex island (T17).
func (v *View) HasSmallIsland(seat int) bool {
	return v.Format == Small || strings.Contains(v.Rules.SmallSeats, strconv.Itoa(seat))
}

// Score is the points of one seat.
type Score struct {
	Total int
	Parts map[string]int // ISLAND, GRAVEYARD, ISLAND_BONUS and CLAW_BONUS
	Claws int            // cards with a claw on the island
}

// Scores returns everybody's points as the table stands, by seat (T14-T16).
func (v *View) Scores() []Score {
	most := 1 // nobody gets the bonus without a claw
	for seat := range v.Islands {
		most = max(most, v.Islands[seat].Claws())
	}
	scores := make([]Score, len(v.Islands))
	for seat := range v.Islands {
		entries := len(v.Graveyards[seat])
		if v.Rules.GraveyardPerCard { // B4
			entries = 0
			for _, entry := range v.Graveyards[seat] {
				entries += len(entry)
			}
		}
		claws, bonus := v.Islands[seat].Claws(), 0
		if claws == most {
			bonus = 7
		}
		parts := map[string]int{
			"ISLAND":       v.Islands[seat].Strength(),
			"GRAVEYARD":    2 * entries,
			"ISLAND_BONUS": v.IslandBonuses[seat],
			"CLAW_BONUS":   bonus,
		}
		score := Score{Parts: parts, Claws: claws}
		for _, points := range parts {
			score.Total += points
		}
		scores[seat] = score
	}
	return scores
}

// Way is one way to attack: the territory, and where the beaten Dino settles, or Nowhere.
type Way struct{ Territory, Settle Territory }

// Ways returns the ways of this seat to attack with a play, as the table stands (T10, T11).
func (v *View) Ways(play Choice) []Way {
	total := v.Event.Bonus(play.Species)
	for _, card := range play.Cards {
		total += card.Strength
	}
	var ways []Way
	for territory := Mountains; territory < territoryEnd; territory++ {
		struck := v.Event.Kind == Meteor && v.Event.Territory == territory
		named := !v.Rules.AttackWithPlay || play.Territory == territory // B6
		if territory.Species() != play.Species || struck || !named || v.Twist[territory].Strength >= total {
			continue
		}
		homes := v.homes(territory)
		full := true
		for _, home := range homes {
			ways = append(ways, Way{territory, home})
			full = full && v.Island()[home].Strength > 0
		}
		if !v.Rules.MustSettle && (full || v.Rules.Version == 1) { // B8
			ways = append(ways, Way{territory, Nowhere})
		}
	}
	return ways
}

// homes returns where a Dino beaten on the territory may settle on this seat's island.
func (v *View) homes(territory Territory) []Territory {
	small := v.HasSmallIsland(v.Seat)
	var homes []Territory
	for home := Mountains; home < territoryEnd; home++ {
		either := v.Event.Kind == Earthquake && home.Species() == territory.Species()
		if small || either || home == territory {
			homes = append(homes, home)
		}
	}
	return homes
}
