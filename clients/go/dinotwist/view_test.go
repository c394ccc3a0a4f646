package dinotwist

import (
	"maps"
	"testing"
)

// aView is the position of the page of the rules, of which it says 54 and 16 points.
func aView() *View {
	return &View{
		Islands: []Island{
			{
				Mountains: {Voli, 10, false}, Cliff: {Voli, 7, false}, Jungle: {Karni, 5, true},
				Desert: {Karni, 4, false}, Riverside: {Herbi, 3, false}, Hill: {Herbi, 2, false},
				Beach: {Aqua, 1, false}, Sea: {Aqua, 1, false},
			},
			{Sea: {Aqua, 9, true}},
		},
		Graveyards:    [][][]Card{{{{Karni, 2, false}}, {{Aqua, 2, false}, {Aqua, 3, false}}}, {}},
		IslandBonuses: []int{10, 0},
		Rules:         Rules{Version: 2},
	}
}

func TestScores(t *testing.T) {
	scores := aView().Scores()
	want := map[string]int{"ISLAND": 33, "GRAVEYARD": 4, "ISLAND_BONUS": 10, "CLAW_BONUS": 7}
	if scores[0].Total != 54 || !maps.Equal(scores[0].Parts, want) || scores[1].Total != 16 {
		t.Errorf("the scores are %v", scores)
	}
	view := aView()
	view.Rules.GraveyardPerCard = true
	if total := view.Scores()[0].Total; total != 56 {
		t.Errorf("by card the total is %d", total)
	}
}

func TestABeatenDinoIsDiscardedOnlyWhereNoTerritoryIsEmpty(t *testing.T) {
	view := aView()
	view.Twist[Beach], view.Twist[Sea] = Card{Aqua, 4, false}, Card{Aqua, 6, false}
	play := Choice{Kind: Play, Cards: []Card{{Aqua, 5, false}}, Species: Aqua}
	for _, each := range []struct {
		seat    int
		event   EventKind
		version int
		want    []Way
	}{
		{0, NoEvent, 2, []Way{{Beach, Beach}, {Beach, Nowhere}}},
		{1, NoEvent, 2, []Way{{Beach, Beach}}},
		{1, NoEvent, 1, []Way{{Beach, Beach}, {Beach, Nowhere}}},
		{0, Earthquake, 2, []Way{{Beach, Beach}, {Beach, Sea}, {Beach, Nowhere}}},
		{0, Carnage, 2, []Way{{Beach, Beach}, {Beach, Nowhere}, {Sea, Sea}, {Sea, Nowhere}}},
	} {
		view.Seat, view.Event, view.Rules.Version = each.seat, Event{Kind: each.event}, each.version
		got := view.Ways(play)
		if len(got) != len(each.want) {
			t.Errorf("%+v: the ways are %v", each, got)
			continue
		}
		for i := range got {
			if got[i] != each.want[i] {
				t.Errorf("%+v: the ways are %v", each, got)
			}
		}
	}
	view.Format = Small
	if ways := view.Ways(play); len(ways) != 2*9 {
		t.Errorf("on a small island the ways are %v", ways)
	}
}

func TestChoicesInWords(t *testing.T) {
	for want, choice := range map[string]Choice{
		"PLAY AQUA-5":                     {Kind: Play, Cards: []Card{{Aqua, 5, false}}, Species: Aqua},
		"PLAY AQUA-5 VOLI-2-CLAW as VOLI": {Kind: Play, Cards: []Card{{Aqua, 5, false}, {Voli, 2, true}}, Species: Voli},
		"ATTACK SEA and settle in BEACH":  {Kind: Attack, Territory: Sea, Settle: Beach},
		"ATTACK nothing":                  {Kind: Attack},
		"DISCARD nothing":                 {Kind: Discard},
	} {
		if got := choice.String(); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
