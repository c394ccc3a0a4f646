package paddock_test

import (
	"path/filepath"
	"testing"

	"paddock"
	"paddock/bots"
	v1 "paddock/v1"
)

func TestAMatchTellsTheShareOfACoreOfEverySeat(t *testing.T) {
	sent := &v1.MatchStarted{
		Seats: []*v1.Seat{{Bot: "hosted", CpuShare: 0.5}, {Bot: "mine"}},
		Rules: &v1.MatchStarted_Draftosaurus{Draftosaurus: &v1.DraftosaurusRules{}},
	}
	match, err := paddock.ReadMatch(sent)
	if err != nil {
		t.Fatal(err)
	}
	if hosted, mine := match.Seats[0], match.Seats[1]; hosted.CPUShare != 0.5 || mine.CPUShare != 0 {
		t.Errorf("the shares are %v and %v", hosted.CPUShare, mine.CPUShare)
	}
}

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
