package draftosaurus

import (
	"maps"
	"slices"
	"testing"
)

func TestScoresOfASummerZoo(t *testing.T) {
	view := &View{Board: Summer, Zoos: []Zoo{{
		ForestOfSameness:    {Stegosaurus, Stegosaurus, Stegosaurus},
		WoodyTrio:           {TRex, Diplodocus, Diplodocus},
		KingOfTheJungle:     {Stegosaurus},
		PrairieOfLove:       {Diplodocus, Diplodocus, Spinosaurus},
		MeadowOfDifferences: {TRex, Triceratops},
		SolitaryIsland:      {Parasaurolophus},
		River:               {TRex},
	}, {}}}
	got := view.Scores()[0]
	want := map[string]int{
		"FOREST_OF_SAMENESS": 8, "WOODY_TRIO": 7, "KING_OF_THE_JUNGLE": 7, "PRAIRIE_OF_LOVE": 5,
		"MEADOW_OF_DIFFERENCES": 3, "SOLITARY_ISLAND": 7, "RIVER": 1, "T_REX_BONUS": 2,
	}
	if got.Total != 40 || got.TRexs != 3 || !maps.Equal(got.Parts, want) {
		t.Errorf("the score is %v", got)
	}
}

func TestScoresOfAWinterZoo(t *testing.T) {
	zoo := Zoo{
		WellOrderedWood:   {TRex, Diplodocus, TRex},
		Lookout:           {Diplodocus},
		LoversBridgeLeft:  {Triceratops, Triceratops},
		LoversBridgeRight: {Triceratops},
		Pyramid:           {Stegosaurus, TRex, None, None, None, None},
		Quarantine:        {TRex},
	}
	view := &View{Board: Winter, Zoos: []Zoo{zoo, {River: {Diplodocus, Diplodocus}}}}
	want := map[string]int{
		"WELL_ORDERED_WOOD": 8, "LOOKOUT": 4, "LOVERS_BRIDGE": 6, "PYRAMID": 4, "RIVER": 0, "T_REX_BONUS": 2,
	}
	if got := view.Scores()[0]; got.Total != 24 || !maps.Equal(got.Parts, want) {
		t.Errorf("the score is %v", got)
	}
	view.Rules.QuarantineMayStay = true
	if got := view.Scores()[0]; got.Total != 25 {
		t.Errorf("with the T-Rex that may stay the score is %v", got)
	}
}

func TestThePyramidIsBuiltRowByRow(t *testing.T) {
	zoo := Zoo{Pyramid: {TRex, Diplodocus, None, None, None, None}}
	place := func(species Species, slot int) bool { return zoo.Takes(Placement{species, Pyramid, slot}, Rules{}) }
	if !place(TRex, 2) || place(Diplodocus, 2) || place(TRex, 3) || place(TRex, 0) {
		t.Error("the lowest row takes the wrong dinosaurs")
	}
	zoo = zoo.Plus(Placement{TRex, Pyramid, 2})
	if place(TRex, 3) || place(Diplodocus, 4) || !place(Stegosaurus, 4) {
		t.Error("the second row takes the wrong dinosaurs")
	}
}

func TestLegalChoicesByPen(t *testing.T) {
	view := &View{Legal: []Choice{
		{0, Place, Placement{TRex, WoodyTrio, 0}},
		{1, Place, Placement{Diplodocus, WoodyTrio, 0}},
		{2, Place, Placement{TRex, River, 0}},
	}}
	byPen := view.LegalByPen()
	if !slices.Equal(byPen[WoodyTrio], view.Legal[:2]) || len(byPen) != 2 || view.Default() != 2 {
		t.Errorf("by pen: %v; the default is %d", byPen, view.Default())
	}
	if got := view.Legal[1].String(); got != "PLACE DIPLODOCUS in WOODY_TRIO" {
		t.Errorf("in words: %s", got)
	}
}
