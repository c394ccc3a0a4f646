package paddock

import (
	"testing"
	"time"
)

func TestDiceAreTheSameInEveryLanguage(t *testing.T) {
	seed := MatchSeed([]byte("secret"), []byte{1, 2, 3}, 2)
	dice := NewDice(seed, 7)
	want := [][2]int{{1, 0}, {2, 1}, {6, 0}, {100, 18}, {1000, 822}, {2147483648, 1550373958}, {4294967296, 4159391217}, {3221225472, 1597863352}, {3221225472, 1054516021}, {3221225472, 938244414}, {10, 8}, {10, 9}}
	for _, n := range want {
		if got := dice.Below(n[0]); got != n[1] {
			t.Errorf("below %d came %d; want %d", n[0], got, n[1])
		}
	}
	if first, second := NewDice(seed, 0).Rand().Uint64(), NewDice(seed, 1).Rand().Uint64(); first == second {
		t.Error("two decisions have the same generator")
	}
}

func TestWaitsDoubleAndNeverExceedTenSeconds(t *testing.T) {
	var waits backoff
	for failures := range 40 {
		most := min(longestWait, firstWait<<min(failures, 20))
		if wait := waits.next(time.Second); wait < time.Second || wait >= time.Second+most {
			t.Errorf("after %d failures it waits %v", failures, wait)
		}
	}
	waits.reset()
	if wait := waits.next(0); wait >= firstWait {
		t.Errorf("after a reset it waits %v", wait)
	}
}

func TestTheCommandLine(t *testing.T) {
	t.Setenv("PADDOCK_BOT", "env")
	var settings Settings
	arguments := []string{"--server", "a:1", "--name=cli", "--max-matches", "3", "--verbose", "--tls-ca", "ca.pem"}
	verbose, err := settings.parse(arguments, "", nil)
	if err != nil || !verbose || settings.Server != "a:1" || settings.MaxMatches != 3 || settings.TLSCA != "ca.pem" {
		t.Errorf("parsed as %+v, %v", settings, err)
	}
	if name := settings.name(nobody{}); name != "cli" {
		t.Errorf("the name is %s", name)
	}
	for _, wrong := range [][]string{{"--max-matches", "0"}, {"--max-matches", "x"}, {"--what"}, {"what"}} {
		if _, err := new(Settings).parse(wrong, "", nil); err == nil {
			t.Errorf("%v was taken", wrong)
		}
	}
	if name := (Settings{Name: "own"}).name(nobody{}); name != "env" {
		t.Errorf("the name is %s", name)
	}
	t.Setenv("PADDOCK_BOT", "")
	if name := (Settings{}).name(&nobody{}); name != "nobody" {
		t.Errorf("the name is %s", name)
	}
}

type nobody struct{}

func (nobody) Choose(*Ask) (int, error) { return 0, nil }

func TestTokens(t *testing.T) {
	if token, err := readToken(" pdk_1\n"); token != "pdk_1" || err != nil {
		t.Errorf("got %q, %v", token, err)
	}
	if _, err := readToken("pdk\x00"); err == nil {
		t.Error("a token with a control character was taken")
	}
}
