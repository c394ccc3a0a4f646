package paddock

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	v1 "paddock/v1"
)

const (
	protocol       = 1
	farewellOfBots = 5 * time.Second // for the last calls of the bot, when it is stopped
)

// session is a session over any number of streams: the bot's matches and the resume token. It takes
// items in order and never waits for the bot.
type session struct {
	bot     Bot
	log     *slog.Logger
	idle    func() // called when all matches of the stream have ended
	secret  []byte
	workers sync.WaitGroup

	mu       sync.Mutex
	hello    *v1.Hello
	outbox   *outbox
	welcomed bool        // on the present stream
	goodbye  *v1.Goodbye // said on the present stream
	sittings map[string]*sitting
	current  map[string]bool // the matches that started on the present stream
}

func newSession(bot Bot, hello *v1.Hello, log *slog.Logger, idle func()) *session {
	return &session{
		bot: bot, hello: hello, log: log, idle: idle, secret: ownSecret(), sittings: map[string]*sitting{},
	}
}

// connect returns the outbox of a new stream, with Hello in it.
func (s *session) connect() *outbox {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outbox, s.welcomed, s.goodbye, s.current = newOutbox(), false, nil, map[string]bool{}
	s.send(&v1.BotItem{Item: &v1.BotItem_Hello{Hello: s.hello}})
	return s.outbox
}

// disconnect sends nothing from now on; answers are sent when their asks are repeated.
func (s *session) disconnect() (welcomed bool, goodbye *v1.Goodbye) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outbox = nil
	return s.welcomed, s.goodbye
}

// close waits for the present calls of the bot, and makes no other.
func (s *session) close() {
	s.mu.Lock()
	for _, sitting := range s.sittings {
		sitting.stop()
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.workers.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(farewellOfBots):
	}
}

// receive handles one item of the server; those of a newer server are passed over.
func (s *session) receive(item *v1.RefereeItem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch item := item.GetItem().(type) {
	case *v1.RefereeItem_Welcome:
		s.takeWelcome(item.Welcome)
	case *v1.RefereeItem_MatchStarted:
		s.takeMatchStarted(item.MatchStarted)
	case *v1.RefereeItem_NonceCommitments:
		s.takeNonceCommitments(item.NonceCommitments)
	case *v1.RefereeItem_Ask:
		sitting, known := s.sittings[item.Ask.GetMatchId()]
		if !known {
			s.log.Error(fmt.Sprintf(
				"ask ignored: %d is of unknown match %s", item.Ask.GetAskId(), item.Ask.GetMatchId()))
			return
		}
		sitting.ask(item.Ask)
	case *v1.RefereeItem_Happened:
		if sitting, known := s.sittings[item.Happened.GetMatchId()]; known {
			sitting.happened(item.Happened)
		}
	case *v1.RefereeItem_Refused:
		s.takeRefused(item.Refused)
	case *v1.RefereeItem_MatchEnded:
		s.takeMatchEnded(item.MatchEnded)
	case *v1.RefereeItem_Ping:
		s.send(&v1.BotItem{Item: &v1.BotItem_Pong{Pong: &v1.Pong{Id: item.Ping.GetId()}}})
	case *v1.RefereeItem_Goodbye:
		s.goodbye = item.Goodbye
		s.log.Info("goodbye received: " + sentenceOf(item.Goodbye))
	}
}

func (s *session) send(item *v1.BotItem) {
	if s.outbox != nil {
		s.outbox.put(item)
	}
}

func (s *session) takeWelcome(welcome *v1.Welcome) {
	s.welcomed = true
	s.hello.ResumeToken = welcome.GetResumeToken()
	played := s.hello.GetFormats()
	if formats := welcome.GetFormats(); len(formats) > 0 {
		played = nil
		for _, format := range formats {
			if format.GetPlays() {
				played = append(played, format.GetName())
			}
		}
	}
	s.log.Info(fmt.Sprintf("session opened: %s on paddock %s, session %s, plays %s",
		s.hello.GetBot(), welcome.GetServer(), welcome.GetSession(), strings.Join(played, ", ")))
	for _, game := range welcome.GetGames() {
		if known := knownRules[game.GetName()]; known > 0 && known < game.GetRulesVersion() {
			s.log.Warn(fmt.Sprintf(
				"rules too old: the server plays version %d of %s, and this is version %d; use a newer paddock",
				game.GetRulesVersion(), game.GetName(), known))
		}
	}
	if why := welcome.GetProbation(); why != "" {
		s.log.Warn(fmt.Sprintf("on probation: %s gets trial matches only: %s", s.hello.GetBot(), why))
	}
	for _, notice := range welcome.GetNotices() {
		s.log.Warn(notice)
	}
	if welcome.GetOpenMatches() == nil {
		return
	}
	open := map[string]bool{}
	for _, id := range welcome.GetOpenMatches().GetMatchIds() {
		open[id] = true
	}
	for id, sitting := range s.sittings {
		if !open[id] {
			s.log.Info("match ended without a connection: " + id)
			sitting.stop()
			delete(s.sittings, id)
		}
	}
}

func (s *session) takeMatchStarted(message *v1.MatchStarted) {
	id := message.GetMatchId()
	at, known := s.sittings[id]
	if !known {
		match, err := ReadMatch(message)
		if err != nil {
			s.log.Error(fmt.Sprintf("match unreadable: %s: %v; use a newer paddock", id, err))
			return
		}
		at = newSitting(s, match)
		s.sittings[id] = at
		var names []string
		for _, seat := range match.Seats {
			names = append(names, seat.Bot)
		}
		s.log.Info(fmt.Sprintf("match started: %s, %s, seat %d of %s",
			id, match.Format, match.Seat, strings.Join(names, ", ")))
		at.begin()
	}
	s.current[id] = true
	if item := at.part.begin(message.GetCommitNonces()); item != nil {
		s.send(item)
	}
}

func (s *session) takeNonceCommitments(message *v1.NonceCommitments) {
	at, known := s.sittings[message.GetMatchId()]
	if !known {
		return
	}
	if item := at.part.told(message.GetDigests()); item != nil {
		s.send(item)
	} else {
		s.log.Warn(fmt.Sprintf("nonce kept secret: match %s: digests wrong", at.match.ID))
	}
}

func (s *session) takeRefused(message *v1.Refused) {
	refusal := Refusal{message.GetAskId(), message.GetReason(), message.GetSentence()}
	s.log.Warn(fmt.Sprintf("answer refused: ask %d: %s: %s", refusal.AskID, refusal.Reason, refusal.Sentence))
	for _, sitting := range s.sittings {
		if sitting.hasAsked(refusal.AskID) {
			sitting.refused(refusal)
		}
	}
}

func (s *session) takeMatchEnded(message *v1.MatchEnded) {
	id := message.GetMatchId()
	delete(s.current, id)
	if sitting, known := s.sittings[id]; known {
		sitting.end(message)
		delete(s.sittings, id)
	}
	if len(s.current) == 0 {
		s.idle()
	}
}

func sentenceOf(goodbye *v1.Goodbye) string {
	if goodbye.GetSentence() != "" {
		return goodbye.GetSentence()
	}
	return goodbye.GetReason()
}
