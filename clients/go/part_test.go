package paddock

import "testing"

func TestANonceIsOpenedOnlyToAServerThatKeepsToItsDigests(t *testing.T) {
	p := newPart(&Match{ID: "M", Seat: 1})
	other := make([]byte, nonceBytes)
	mine := []byte(digestOf(p.nonce[:]))
	theirs := []byte(digestOf(other))
	if p.told([][]byte{theirs, mine}) != nil {
		t.Error("the nonce was opened before its digest was sent")
	}
	if p.begin(true).GetNonceCommitment() == nil || p.begin(false) != nil {
		t.Error("after its digest the nonce was sent without the digests of the others")
	}
	if p.told([][]byte{mine, theirs}) != nil || p.told(nil) != nil {
		t.Error("the nonce was opened although its digest was missing")
	}
	if p.told([][]byte{theirs, mine}).GetNonce() == nil || p.told([][]byte{theirs, mine}) == nil {
		t.Error("the nonce was not opened")
	}
	if p.told([][]byte{mine, mine}) != nil {
		t.Error("the nonce was opened to other digests than before")
	}
	late := make([]byte, nonceBytes)
	for want, nonces := range map[bool][][][]byte{
		true:  {{other, p.nonce[:]}},
		false: {{other}, {p.nonce[:], p.nonce[:]}, {other, late}},
	} {
		for _, each := range nonces {
			if wrong := p.wrong(each); (wrong == "") != want {
				t.Errorf("of %v it says %q", each, wrong)
			}
		}
	}
}

func TestANonceIsSentAtOnceWhereNobodyCommits(t *testing.T) {
	p := newPart(&Match{ID: "M"})
	if p.begin(false).GetNonce() == nil || p.wrong(nil) != "" {
		t.Error("a nonce in one step is not sent, or is checked")
	}
}
