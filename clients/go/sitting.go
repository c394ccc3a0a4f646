package paddock

import (
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	v1 "paddock/v1"
)

const rememberedAsks = 8 // of a match; the referee has one open at a time

// asked is an ask that the bot was shown, and its answer.
type asked struct {
	id     uint64
	view   []byte     // as the referee sent it
	answer *v1.Choice // nil while the bot chooses
}

// sitting is this bot's seat in one match, from MatchStarted to MatchEnded, over any number of
// streams. Its methods are called with the session's lock; the bot's methods run in a goroutine
// without it, one after the other.
type sitting struct {
	session   *session
	match     *Match
	part      *part
	seed      [32]byte
	decisions uint32   // that were asked for so far
	asked     []*asked // the last ones
	open      *asked   // the ask that still wants an answer
	jobs      []func()
	working   bool
}

func newSitting(s *session, match *Match) *sitting {
	seed := MatchSeed(s.secret, match.Dice, match.Seat)
	return &sitting{session: s, match: match, part: newPart(match), seed: seed}
}

// begin tells the bot that the match begins.
func (s *sitting) begin() {
	if bot, listens := s.session.bot.(Starter); listens {
		s.queue("Started", func() { bot.Started(s.match) })
	}
}

// ask answers an ask, or repeats its answer; a choice under way goes on. An ask with another view is
// another ask, even if it has the same id.
func (s *sitting) ask(message *v1.Ask) {
	view, err := proto.MarshalOptions{Deterministic: true}.Marshal(message.GetView())
	if err != nil {
		s.session.log.Error(fmt.Sprintf("ask unreadable: match %s: %v", s.match.ID, err))
		return
	}
	at := slices.IndexFunc(s.asked, func(known *asked) bool { return known.id == message.GetAskId() })
	if at >= 0 {
		if string(s.asked[at].view) == string(view) {
			if known := s.asked[at]; known.answer != nil {
				s.session.send(&v1.BotItem{Item: &v1.BotItem_Choice{Choice: known.answer}})
			}
			return
		}
		s.asked = slices.Delete(s.asked, at, at+1)
	}
	s.open = &asked{id: message.GetAskId(), view: view}
	s.asked = append(s.asked, s.open)
	if len(s.asked) > rememberedAsks {
		s.asked = slices.Delete(s.asked, 0, 1)
	}
	open := s.open
	s.queue("Choose", func() { s.choose(message, open) })
}

// choose has the bot choose, and sends its answer; it runs without the session's lock.
func (s *sitting) choose(message *v1.Ask, open *asked) {
	decision, wanted := s.nextDecision(open)
	if !wanted {
		return // it was over before an earlier choice of this match was made
	}
	where := fmt.Sprintf("match %s, ask %d", s.match.ID, open.id)
	log := s.session.log
	ask, err := ReadAsk(message, s.match, NewDice(s.seed, decision))
	if err != nil {
		log.Error(fmt.Sprintf("fallback: %s: the ask is unreadable: %v; use a newer paddock", where, err))
		s.answer(open, fallback(open.id, "unreadable: "+err.Error()))
		return
	}
	began := time.Now()
	result := choose(s.session.bot, ask)
	took := time.Since(began).Round(time.Millisecond)
	choice := answer(open.id, result.number)
	if result.reason != "" {
		choice = fallback(open.id, result.reason)
		played := ask.View.Describe(ask.View.Default())
		sentence := fmt.Sprintf("fallback: %s: %s; %s is played instead", where, result.reason, played)
		if result.stack != "" {
			sentence += "\n" + result.stack
		}
		log.Error(sentence)
	}
	if !s.answer(open, choice) {
		log.Warn(fmt.Sprintf("answer dropped: %s: Choose was too late, after %v", where, took))
		return
	}
	log.Debug(fmt.Sprintf("answer sent: %s: %s, after %v", where, ask.View.Describe(result.number), took))
}

// nextDecision returns the number of a decision, and whether it is still wanted.
func (s *sitting) nextDecision(open *asked) (uint32, bool) {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	if open != s.open {
		return 0, false
	}
	decision := s.decisions
	s.decisions++
	return decision, true
}

// answer sends and keeps an answer; false: nobody waits for it any more.
func (s *sitting) answer(open *asked, choice *v1.Choice) bool {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	if open != s.open {
		return false
	}
	open.answer = choice
	s.session.send(&v1.BotItem{Item: &v1.BotItem_Choice{Choice: choice}})
	return true
}

// hasAsked tells whether an ask, a recent one, belongs to this match.
func (s *sitting) hasAsked(id uint64) bool {
	return slices.ContainsFunc(s.asked, func(known *asked) bool { return known.id == id })
}

// happened tells the bot what everybody chose, and logs the faults of this seat.
func (s *sitting) happened(message *v1.Happened) {
	for _, shown := range message.GetRevealed() {
		if int(shown.GetSeat()) == s.match.Seat && shown.GetFault() != v1.Fault_FAULT_UNSPECIFIED {
			fault := faultName(shown.GetFault())
			s.session.log.Warn(fmt.Sprintf("fault %s: match %s: the referee chose", fault, s.match.ID))
		}
	}
	bot, listens := s.session.bot.(Listener)
	if !listens {
		return
	}
	event, err := readEvent(message)
	if err != nil {
		s.session.log.Error(fmt.Sprintf("happened unreadable: match %s: %v", s.match.ID, err))
		return
	}
	s.queue("Happened", func() { bot.Happened(s.match, event) })
}

// refused tells the bot that an answer did not count.
func (s *sitting) refused(refusal Refusal) {
	if bot, listens := s.session.bot.(Refusable); listens {
		s.queue("Refused", func() { bot.Refused(s.match, refusal) })
	}
}

// end tells the bot the result; open choices no longer matter.
func (s *sitting) end(message *v1.MatchEnded) {
	s.open = nil
	result := readResult(message)
	rank := 0
	if s.match.Seat < len(result.Seats) {
		rank = result.Seats[s.match.Seat].Rank
	}
	s.session.log.Info(fmt.Sprintf("match ended: %s, rank %d", s.match.ID, rank))
	if why := message.GetVoidReason(); why != "" {
		s.session.log.Warn(fmt.Sprintf("match void: %s counts for nothing: %s", s.match.ID, why))
	} else if wrong := s.part.wrong(result.Nonces); wrong != "" {
		s.session.log.Warn(fmt.Sprintf("nonces wrong: match %s: %s", s.match.ID, wrong))
	}
	if !result.KeptItsWord(s.match) {
		s.session.log.Warn(fmt.Sprintf(
			"seed wrong: match %s: the seed is not the one the server committed to", s.match.ID))
	}
	if bot, listens := s.session.bot.(Ender); listens {
		s.queue("Ended", func() { bot.Ended(s.match, result) })
	}
}

// stop calls no other method of the bot after the present one.
func (s *sitting) stop() {
	s.open = nil
	s.jobs = nil
}

// queue calls a method of the bot after those that wait.
func (s *sitting) queue(method string, call func()) {
	s.jobs = append(s.jobs, func() {
		defer func() {
			if problem := recover(); problem != nil {
				s.session.log.Error(fmt.Sprintf(
					"%s failed: match %s: %v\n%s", method, s.match.ID, problem, debug.Stack()))
			}
		}()
		call()
	})
	if !s.working {
		s.working = true
		s.session.workers.Add(1)
		go s.work()
	}
}

func (s *sitting) work() {
	defer s.session.workers.Done()
	for job := s.nextJob(); job != nil; job = s.nextJob() {
		job()
	}
}

func (s *sitting) nextJob() func() {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	if len(s.jobs) == 0 {
		s.working = false
		return nil
	}
	job := s.jobs[0]
	s.jobs = s.jobs[1:]
	return job
}
