package paddock

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"slices"

	v1 "paddock/v1"
)

const nonceBytes = 16

// part is this client's part in the deal of one match: its nonce, which it sends in one step or in
// two, and the digests of the others. The nonce is the same on every stream. It is opened only to a
// server that told the digests of all seats before, the same ones every time.
type part struct {
	matchID   string
	seat      int
	nonce     [nonceBytes]byte
	committed bool     // whether the digest was sent
	digests   []string // of all seats, as they were told first
}

func newPart(match *Match) *part {
	p := &part{matchID: match.ID, seat: match.Seat}
	rand.Read(p.nonce[:]) // never fails
	return p
}

// begin returns the answer to MatchStarted; nil: the digest was sent before, and is not wanted now.
func (p *part) begin(commit bool) *v1.BotItem {
	if commit {
		p.committed = true
		digest := []byte(digestOf(p.nonce[:]))
		commitment := &v1.NonceCommitment{MatchId: p.matchID, Digest: digest}
		return &v1.BotItem{Item: &v1.BotItem_NonceCommitment{NonceCommitment: commitment}}
	}
	if p.committed {
		return nil
	}
	return p.open()
}

// told returns the answer to NonceCommitments; nil: they are wrong, and the nonce stays secret.
func (p *part) told(digests [][]byte) *v1.BotItem {
	told := make([]string, len(digests))
	for seat, digest := range digests {
		told[seat] = string(digest)
	}
	mine := p.seat < len(told) && told[p.seat] == digestOf(p.nonce[:])
	if !p.committed || !mine || (p.digests != nil && !slices.Equal(p.digests, told)) {
		return nil
	}
	p.digests = told
	return p.open()
}

// wrong returns what is wrong with the nonces that the deal was made of; empty: nothing is.
func (p *part) wrong(nonces [][]byte) string {
	if p.digests == nil {
		return ""
	}
	if len(nonces) != len(p.digests) {
		return fmt.Sprintf("the server tells %d nonces of %d seats", len(nonces), len(p.digests))
	}
	none := string(make([]byte, nonceBytes))
	for seat, nonce := range nonces {
		if string(nonce) != none && digestOf(nonce) != p.digests[seat] {
			return fmt.Sprintf("the nonce of seat %d does not fit the digest that was told before", seat)
		}
	}
	if string(nonces[p.seat]) != string(p.nonce[:]) {
		return "the deal was made without the nonce of this seat, as if it had been late"
	}
	return ""
}

func (p *part) open() *v1.BotItem {
	nonce := &v1.Nonce{MatchId: p.matchID, Nonce: p.nonce[:]}
	return &v1.BotItem{Item: &v1.BotItem_Nonce{Nonce: nonce}}
}

func digestOf(nonce []byte) string {
	digest := sha256.Sum256(nonce)
	return string(digest[:])
}
