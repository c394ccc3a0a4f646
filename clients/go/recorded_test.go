package paddock_test

import (
	"path/filepath"
	"testing"

	"paddock"
	"paddock/bots"
	v1 "paddock/v1"
)

func TestTheSampleBotsChooseAsRecorded(t *testing.T) {
	paths, _ := filepath.Glob("../../tests/data/bots/*.json")
	if len(paths) != len(paddock.Formats) {
		t.Fatalf("there are %d files for %d formats", len(paths), len(paddock.Formats))
	}
	for _, path := range paths {
		file := readRecorded(t, path)
		for _, one := range file.Matches {
			match, err := paddock.ReadMatch(decode(t, one.Started, &v1.MatchStarted{}))
			if err != nil {
				t.Fatal(err)
			}
			seed := paddock.MatchSeed([]byte(file.Secret), match.Dice, match.Seat)
			for decision, each := range one.Asks {
				dice := paddock.NewDice(seed, uint32(decision))
				ask, err := paddock.ReadAsk(decode(t, each.Ask, &v1.Ask{}), match, dice)
				if err != nil {
					t.Fatal(err)
				}
				for bot, want := range map[paddock.Bot]int{
					bots.Random{}: each.Random, bots.Greedy{}: each.Greedy, bots.Careful{}: each.Careful,
				} {
					if got, err := bot.Choose(ask); got != want || err != nil {
						t.Errorf("%s, decision %d: %T chose %d, %v; want %d",
							match.Format, decision, bot, got, err, want)
					}
				}
			}
		}
	}
}
