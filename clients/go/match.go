package paddock

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"paddock/dinotwist"
	"paddock/draftosaurus"
	v1 "paddock/v1"
)

// Seat is the bot in a seat.
type Seat struct {
	Bot, Version, Owner string
	CPUShare            float64 // of a core, where the arena runs it; 0: it does not, or promises none
}

// Clock is how time is counted: every decision may take Base, and what it takes longer comes out of
// the Bank.
type Clock struct {
	Base, Bank, LagAllowance time.Duration
	MaxFaults                int // in a row, until the seat forfeits
}

// Match is a match that this bot plays in.
type Match struct {
	ID         string
	Format     string
	Seats      []Seat
	Seat       int // which of them is this bot's
	Rules      any // a draftosaurus.Rules or a dinotwist.Rules
	Clock      Clock
	Commitment []byte // SHA-256 of the seed that the deal comes from
	Tournament string // empty where there is none
	Dice       []byte // what the dice are made from, with a secret of this client
}

// Revealed is the choice of one seat, a draftosaurus.Choice or a dinotwist.Choice. Fault says why the
// referee made it, such as TIMEOUT; empty: the bot chose.
type Revealed struct {
	Seat   int
	Choice any
	Fault  string
}

// Event is what everybody chose in one step of a match.
type Event struct {
	Step     int
	Revealed []Revealed
}

// Refusal is an answer that did not count. Reason is stable, such as choice/stale.
type Refusal struct {
	AskID            uint64
	Reason, Sentence string
}

// SeatResult is the result of a seat; rank 1 is best, and equal seats share a rank.
type SeatResult struct {
	Total, Rank int
	Forfeit     bool
	Faults      int // decisions that the referee made
	Fallbacks   int // decisions that the bot's client made
}

// Result is the result of a match.
type Result struct {
	Seats  []SeatResult
	Seed   []byte // empty while other matches have the same deal
	Nonces [][]byte
	Void   string         // why the match counts for nothing; empty: it counts
	Ended  *v1.MatchEnded // the whole message, with the points in detail
}

// KeptItsWord tells whether the seed is the one that the server committed to before the deal; it is
// true while the seed is still secret.
func (r Result) KeptItsWord(match *Match) bool {
	digest := sha256.Sum256(r.Seed)
	return len(r.Seed) == 0 || string(digest[:]) == string(match.Commitment)
}

// ReadMatch returns the match in a message, or an error where its game or rules are unknown here.
func ReadMatch(sent *v1.MatchStarted) (*Match, error) {
	ms := func(count uint32) time.Duration { return time.Duration(count) * time.Millisecond }
	clock := sent.GetClock()
	match := &Match{
		ID:     sent.GetMatchId(),
		Format: sent.GetFormat(),
		Seat:   int(sent.GetSeat()),
		Clock: Clock{
			ms(clock.GetBaseMs()), ms(clock.GetBankMs()), ms(clock.GetLagAllowanceMs()),
			int(clock.GetMaxFaults()),
		},
		Commitment: sent.GetCommitment(),
		Tournament: sent.GetTournament(),
		Dice:       sent.GetDice(),
	}
	for _, seat := range sent.GetSeats() {
		match.Seats = append(match.Seats, Seat{
			seat.GetBot(), seat.GetVersion(), seat.GetOwner(), seat.GetCpuShare(),
		})
	}
	if match.Seat >= len(match.Seats) {
		return nil, fmt.Errorf("match %s has no seat %d", match.ID, match.Seat)
	}
	switch rules := sent.GetRules().(type) {
	case *v1.MatchStarted_Draftosaurus:
		match.Rules = draftosaurus.ReadRules(rules.Draftosaurus)
	case *v1.MatchStarted_DinoTwist:
		read, err := dinotwist.ReadRules(rules.DinoTwist)
		if err != nil {
			return nil, err
		}
		match.Rules = read
	default:
		return nil, fmt.Errorf("the game of the format %q is unknown here", match.Format)
	}
	return match, nil
}

func readEvent(sent *v1.Happened) (Event, error) {
	event := Event{Step: int(sent.GetStep())}
	for _, shown := range sent.GetRevealed() {
		revealed := Revealed{Seat: int(shown.GetSeat()), Fault: faultName(shown.GetFault())}
		var err error
		switch game := shown.GetChoice().GetGame().(type) {
		case *v1.GameChoice_Draftosaurus:
			revealed.Choice, err = draftosaurus.ReadChoice(game.Draftosaurus, -1)
		case *v1.GameChoice_DinoTwist:
			revealed.Choice, err = dinotwist.ReadChoice(game.DinoTwist, -1)
		}
		if err != nil {
			return event, err
		}
		event.Revealed = append(event.Revealed, revealed)
	}
	return event, nil
}

func readResult(sent *v1.MatchEnded) Result {
	result := Result{Seed: sent.GetSeed(), Nonces: sent.GetNonces(), Void: sent.GetVoidReason(), Ended: sent}
	for _, seat := range sent.GetSeats() {
		result.Seats = append(result.Seats, SeatResult{
			int(seat.GetTotal()), int(seat.GetRank()), seat.GetForfeit(),
			int(seat.GetFaults()), int(seat.GetFallbacks()),
		})
	}
	return result
}

// faultName returns the name of a fault, such as TIMEOUT; empty: there was none.
func faultName(fault v1.Fault) string {
	if fault == v1.Fault_FAULT_UNSPECIFIED {
		return ""
	}
	if _, known := v1.Fault_name[int32(fault)]; !known {
		return "OTHER" // a fault that a newer server knows is still a fault
	}
	return strings.TrimPrefix(fault.String(), "FAULT_")
}
