package paddock

import (
	"math/rand/v2"
	"time"
)

const (
	firstWait   = 100 * time.Millisecond
	longestWait = 10 * time.Second
)

// backoff is the wait before the next attempt to connect. Waits double up to ten seconds, with full
// jitter, so that the bots of a server that went away do not all come back at the same moment.
type backoff struct{ failures int }

// next returns how long to wait now, in addition to what the server asked for.
func (b *backoff) next(atLeast time.Duration) time.Duration {
	longest := min(longestWait, firstWait<<min(b.failures, 20))
	b.failures++
	return atLeast + rand.N(longest)
}

// reset begins with short waits again, after a connection that lasted.
func (b *backoff) reset() { b.failures = 0 }
