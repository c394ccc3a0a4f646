package paddock

import (
	"crypto/hmac"
	crypto "crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"os"
)

// Dice are the random numbers of one decision. In a comparison all matches of a block have the same,
// so that everybody has the same luck in them; docs/sample-bots.md tells how they are made.
type Dice struct {
	seed  [32]byte
	block uint64
	words []byte // of the present block
	rng   *rand.Rand
}

// ownSecret returns the secret of PADDOCK_DICE_SECRET, which several bots may share, or a new one.
func ownSecret() []byte {
	if secret := os.Getenv("PADDOCK_DICE_SECRET"); secret != "" {
		return []byte(secret)
	}
	secret := make([]byte, 32)
	crypto.Read(secret) // never fails
	return secret
}

// MatchSeed returns the seed of a seat's dice in a match.
func MatchSeed(secret, dice []byte, seat int) [32]byte {
	mixed := append(append([]byte{}, secret...), dice...)
	return sha256.Sum256(append(mixed, byte(seat)))
}

// NewDice returns the dice of a decision of a match; decisions count from 0.
func NewDice(matchSeed [32]byte, decision uint32) *Dice {
	return &Dice{seed: sha256.Sum256(binary.BigEndian.AppendUint32(matchSeed[:], decision))}
}

// Below returns a number from 0 to n-1 that bots in other languages draw alike. It panics where n is
// not from 1 to 2^32.
func (d *Dice) Below(n int) int {
	if n < 1 || uint64(n) > 1<<32 {
		panic("paddock: Below needs a number from 1 to 2^32")
	}
	limit := 1<<32 - (1<<32)%uint64(n)
	for {
		if word := uint64(d.word()); word < limit {
			return int(word % uint64(n))
		}
	}
}

// Rand returns a generator of this decision; it is Go's own, and the same until the decision is made.
func (d *Dice) Rand() *rand.Rand {
	if d.rng == nil {
		d.rng = rand.New(rand.NewChaCha8(d.seed))
	}
	return d.rng
}

func (d *Dice) word() uint32 {
	if len(d.words) == 0 {
		mac := hmac.New(sha256.New, d.seed[:])
		mac.Write(binary.BigEndian.AppendUint64([]byte("paddock-deal-1"), d.block))
		d.words = mac.Sum(nil)
		d.block++
	}
	word := binary.BigEndian.Uint32(d.words)
	d.words = d.words[4:]
	return word
}
