// Package paddock is the Go SDK of Paddock: a bot says what to choose, and the SDK does the rest.
//
//	type mine struct{}
//
//	func (mine) Choose(ask *paddock.Ask) (int, error) { return 0, nil }
//
//	func main() { paddock.Run(mine{}, paddock.Settings{Name: "mine"}) }
//
// Choose returns the number of a legal choice. Where it returns an error, panics or returns another
// number, the referee plays its default choice, and counts a fallback.
package paddock

// Bot is a bot: Choose is all that it needs.
//
// Matches are played at the same time, each in a goroutine of its own; what concerns one match is
// called in order, one call after the other.
type Bot interface {
	// Choose returns the number of one of the legal choices of ask.View.
	Choose(ask *Ask) (int, error)
}

// A bot may have any of these methods as well.
type (
	// Starter is a bot that hears when a match begins.
	Starter interface{ Started(match *Match) }
	// Listener is a bot that hears what everybody chose.
	Listener interface {
		Happened(match *Match, event Event)
	}
	// Refusable is a bot that hears when an answer did not count.
	Refusable interface {
		Refused(match *Match, refusal Refusal)
	}
	// Ender is a bot that hears when a match ends.
	Ender interface {
		Ended(match *Match, result Result)
	}
)
