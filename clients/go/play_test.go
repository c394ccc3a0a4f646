package paddock_test

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"paddock"
	"paddock/draftosaurus"
	v1 "paddock/v1"
)

func TestHelloSaysWhoTheBotIs(t *testing.T) {
	s := newStage(t)
	stop, ended := s.start(t, bot(func(*paddock.Ask) (int, error) { return 0, nil }))
	c, hello := s.welcome(t)
	if hello.GetBot() != "tested" || hello.GetProtocol() != 1 || hello.GetMaxMatches() != 8 ||
		!hello.GetSendsNonces() || !hello.GetCommitsNonces() || hello.GetLanguage() != "Go" ||
		len(hello.GetFormats()) != 0 || len(hello.GetKnownFormats()) != 8 || hello.GetResumeToken() != "" {
		t.Errorf("Hello is %v", hello)
	}
	stop()
	c.end <- nil
	if err := wait(t, ended); err != nil {
		t.Errorf("a bot that is stopped ended with %v", err)
	}
}

func TestAnAskToldAgainGetsTheSameAnswerAndAnotherViewANewChoice(t *testing.T) {
	s := newStage(t)
	calls := 0
	s.start(t, bot(func(ask *paddock.Ask) (int, error) {
		calls++
		return calls, nil
	}))
	c, _ := s.welcome(t)
	match, asks := aMatch(t)
	c.say(t, started(match), ask(asks[0]), ask(asks[0]), ping(1))
	c.next(t) // the nonce
	if pong, first := c.next(t), c.next(t).GetChoice(); pong.GetPong().GetId() != 1 || first.GetNumber() != 1 {
		t.Fatalf("got %v, %v; want a pong, then choice 1", pong, first)
	}
	again := proto.CloneOf(asks[0])
	again.TimeMs = 5
	c.say(t, ask(again))
	if repeated := c.next(t).GetChoice(); repeated.GetNumber() != 1 {
		t.Errorf("told again, the answer is %v", repeated)
	}
	other := proto.CloneOf(asks[1])
	other.AskId = asks[0].GetAskId()
	c.say(t, ask(other))
	if anew := c.next(t).GetChoice(); anew.GetNumber() != 2 || calls != 2 {
		t.Errorf("with another view, the answer is %v after %d calls", anew, calls)
	}
}

func TestPingsAreAnsweredWhileTheBotChooses(t *testing.T) {
	s := newStage(t)
	choose := make(chan int)
	s.start(t, bot(func(*paddock.Ask) (int, error) { return <-choose, nil }))
	c, _ := s.welcome(t)
	match, asks := aMatch(t)
	c.say(t, started(match), ask(asks[0]))
	c.next(t) // the nonce
	for id := range uint64(3) {
		c.say(t, ping(id))
		if pong := c.next(t).GetPong(); pong == nil || pong.GetId() != id {
			t.Fatalf("ping %d is answered by %v", id, pong)
		}
	}
	choose <- 2
	if choice := c.next(t).GetChoice(); choice.GetNumber() != 2 || choice.GetFallback() != "" {
		t.Errorf("the choice is %v", choice)
	}
}

func TestABotThatFailsIsReportedAsAFallback(t *testing.T) {
	failures := []struct {
		bot    bot
		reason string
	}{
		{func(*paddock.Ask) (int, error) { panic("lost") }, "panic: lost"},
		{func(*paddock.Ask) (int, error) { return 0, errors.New("no idea") }, "no idea"},
		{func(*paddock.Ask) (int, error) { return -1, nil }, "Choose returned -1"},
		{func(*paddock.Ask) (int, error) { return 0, errors.New(strings.Repeat("é\xff", 300)) }, "é"},
	}
	for _, failure := range failures {
		s := newStage(t)
		s.start(t, failure.bot)
		c, _ := s.welcome(t)
		match, asks := aMatch(t)
		c.say(t, started(match), ask(asks[0]))
		c.next(t) // the nonce
		choice := c.next(t).GetChoice()
		if !strings.Contains(choice.GetFallback(), failure.reason) || len([]rune(choice.GetFallback())) > 200 {
			t.Errorf("the answer is %v; want a fallback with %q", choice, failure.reason)
		}
		c.say(t, ask(asks[0]))
		if again := c.next(t).GetChoice(); !proto.Equal(again, choice) {
			t.Errorf("told again, the fallback became %v", again)
		}
	}
}

func TestAnAskThatCantBeReadIsReportedAsAFallback(t *testing.T) {
	s := newStage(t)
	s.start(t, bot(func(*paddock.Ask) (int, error) { return 0, nil }))
	c, _ := s.welcome(t)
	match, asks := aMatch(t)
	asks[0].GetView().GetDraftosaurus().Hand[0] = 99
	c.say(t, started(match), ask(asks[0]))
	c.next(t) // the nonce
	if choice := c.next(t).GetChoice(); !strings.Contains(choice.GetFallback(), "species 99 is unknown") {
		t.Errorf("the answer is %v", choice)
	}
}

func TestItemsAndFieldsOfANewerServerArePassedOver(t *testing.T) {
	s := newStage(t)
	s.start(t, bot(func(*paddock.Ask) (int, error) { return 3, nil }))
	c, _ := s.welcome(t)
	match, asks := aMatch(t)
	unknown := &v1.RefereeItem{}
	field := protowire.AppendString(protowire.AppendTag(nil, 1999, protowire.BytesType), "news")
	unknown.ProtoReflect().SetUnknown(field)
	asks[0].ProtoReflect().SetUnknown(field)
	c.say(t, unknown, started(match), unknown, ask(asks[0]))
	c.next(t) // the nonce
	if choice := c.next(t).GetChoice(); choice.GetNumber() != 3 {
		t.Errorf("the answer is %v", choice)
	}
}

func TestABotResumesWithItsTokenNonceAndAnswer(t *testing.T) {
	s := newStage(t)
	calls := 0
	s.start(t, bot(func(*paddock.Ask) (int, error) {
		calls++
		return calls, nil
	}))
	c, _ := s.welcome(t)
	match, asks := aMatch(t)
	c.say(t, started(match), ask(asks[0]))
	nonce, choice := c.next(t).GetNonce(), c.next(t).GetChoice()
	c.end <- status.Error(codes.Unavailable, "gone")
	c, hello := s.welcome(t)
	if hello.GetResumeToken() != "again" {
		t.Errorf("the resume token is %q", hello.GetResumeToken())
	}
	c.say(t, started(match), ask(asks[0]), ask(asks[1]))
	if again := c.next(t).GetNonce(); len(again.GetNonce()) != 16 || !proto.Equal(again, nonce) {
		t.Errorf("the nonce was %v and is %v", nonce, again)
	}
	if again := c.next(t).GetChoice(); !proto.Equal(again, choice) {
		t.Errorf("the answer was %v and is %v", choice, again)
	}
	if second := c.next(t).GetChoice(); second.GetNumber() != 2 {
		t.Errorf("the second answer is %v", second)
	}
}

func TestNoncesComeInTwoStepsWhereTheServerWantsIt(t *testing.T) {
	s := newStage(t)
	s.start(t, bot(func(*paddock.Ask) (int, error) { return 0, nil }))
	c, _ := s.welcome(t)
	match, _ := aMatch(t)
	match.CommitNonces = true
	c.say(t, started(match), started(match))
	commitment := c.next(t).GetNonceCommitment()
	if again := c.next(t).GetNonceCommitment(); len(commitment.GetDigest()) != 32 || !proto.Equal(commitment, again) {
		t.Fatalf("the digests are %v and %v", commitment, again)
	}
	digests := func(mine []byte) *v1.RefereeItem {
		all := &v1.NonceCommitments{MatchId: match.GetMatchId(), Digests: make([][]byte, len(match.GetSeats()))}
		all.Digests[match.GetSeat()] = mine
		return &v1.RefereeItem{Item: &v1.RefereeItem_NonceCommitments{NonceCommitments: all}}
	}
	c.say(t, digests(make([]byte, 32)), ping(7), digests(commitment.GetDigest()))
	if pong := c.next(t).GetPong(); pong.GetId() != 7 {
		t.Fatal("a nonce was sent although the digest is another one")
	}
	nonce := c.next(t).GetNonce()
	if digest := sha256.Sum256(nonce.GetNonce()); string(digest[:]) != string(commitment.GetDigest()) {
		t.Errorf("%v is not the nonce of %v", nonce, commitment)
	}
}

func TestABotThatIsRefusedEnds(t *testing.T) {
	refusals := map[string]error{
		"auth/bad_token: copy it again": status.Error(codes.Unauthenticated, "auth/bad_token: copy it again"),
		"format/unknown: no such":       status.Error(codes.InvalidArgument, "format/unknown: no such"),
		"session/replaced: another one": status.Error(codes.Aborted, "session/replaced: another one"),
	}
	for sentence, refusal := range refusals {
		s := newStage(t)
		_, ended := s.start(t, bot(func(*paddock.Ask) (int, error) { return 0, nil }))
		c, _ := s.welcome(t)
		c.end <- refusal
		var refused *paddock.Refused
		if err := wait(t, ended); !errors.As(err, &refused) || err.Error() != sentence {
			t.Errorf("the bot ended with %v; want %q", err, sentence)
		}
	}
}

func TestAGoodbyeSaysWhenAndWhereToComeBack(t *testing.T) {
	s, elsewhere := newStage(t), newStage(t)
	_, ended := s.start(t, bot(func(*paddock.Ask) (int, error) { return 0, nil }))
	c, _ := s.welcome(t)
	began := time.Now()
	c.say(t, goodbye(&v1.Goodbye{ReturnAfterMs: 300, Address: elsewhere.address}))
	c.end <- nil
	c, hello := elsewhere.welcome(t)
	if away := time.Since(began); away < 300*time.Millisecond || hello.GetResumeToken() != "again" {
		t.Errorf("it came back after %v with %v", away, hello)
	}
	c.say(t, goodbye(&v1.Goodbye{Reason: "server/draining", Sentence: "for good"}))
	c.end <- nil
	if err := wait(t, ended); err == nil || err.Error() != "server/draining: for good" {
		t.Errorf("the bot ended with %v", err)
	}
}

func TestTheNextServerOfAListIsTriedAfterAFailure(t *testing.T) {
	s := newStage(t)
	s.address = "unix:" + t.TempDir() + "/nobody, " + s.address
	s.start(t, bot(func(*paddock.Ask) (int, error) { return 0, nil }))
	s.welcome(t)
}

// listener is a bot with all methods that a bot may have.
type listener struct {
	bot
	heard chan string
}

func (l listener) Started(match *paddock.Match) { l.heard <- "started " + match.Format }

func (l listener) Happened(_ *paddock.Match, event paddock.Event) {
	l.heard <- event.Revealed[0].Choice.(draftosaurus.Choice).String() + event.Revealed[0].Fault
}

func (l listener) Refused(_ *paddock.Match, refusal paddock.Refusal) { l.heard <- refusal.Reason }

func (l listener) Ended(match *paddock.Match, result paddock.Result) {
	l.heard <- "ended"
	panic("a hook that fails does no harm")
}

func TestABotHearsOfItsMatchInOrder(t *testing.T) {
	s := newStage(t)
	heard := make(chan string, 8)
	choose := bot(func(ask *paddock.Ask) (int, error) {
		heard <- "choose"
		return 0, nil
	})
	stop, ended := s.start(t, listener{choose, heard})
	c, _ := s.welcome(t)
	match, asks := aMatch(t)
	id := match.GetMatchId()
	revealed := &v1.Revealed{Seat: match.GetSeat(), Choice: asks[0].GetChoices()[0], Fault: v1.Fault_FAULT_TIMEOUT}
	c.say(t, started(match), ask(asks[0]))
	c.next(t) // the nonce
	c.next(t) // the choice
	c.say(t,
		&v1.RefereeItem{Item: &v1.RefereeItem_Refused{Refused: &v1.Refused{AskId: asks[0].GetAskId(), Reason: "choice/stale"}}},
		&v1.RefereeItem{Item: &v1.RefereeItem_Happened{Happened: &v1.Happened{MatchId: id, Revealed: []*v1.Revealed{revealed}}}},
		&v1.RefereeItem{Item: &v1.RefereeItem_MatchEnded{MatchEnded: &v1.MatchEnded{MatchId: id}}},
		ping(1))
	for _, want := range []string{
		"started summer", "choose", "choice/stale", "PLACE T_REX in PRAIRIE_OF_LOVETIMEOUT", "ended",
	} {
		select {
		case got := <-heard:
			if got != want {
				t.Errorf("the bot heard %q; want %q", got, want)
			}
		case <-time.After(patience):
			t.Fatalf("the bot did not hear %q", want)
		}
	}
	if pong := c.next(t).GetPong(); pong == nil {
		t.Error("no pong after the match")
	}
	stop()
	c.end <- nil
	if err := wait(t, ended); err != nil {
		t.Error(err)
	}
}
