package paddock

// BadSettings is the error of settings that can't be used: a server, a token, a certificate.
type BadSettings struct{ Sentence string }

func (e *BadSettings) Error() string { return e.Sentence }

// Refused is the error of a bot that the server refuses for good. Reason is stable, such as
// auth/bad_token; Sentence says what to do.
type Refused struct{ Reason, Sentence string }

func (e *Refused) Error() string { return joined(e.Reason, e.Sentence) }

// Unreachable is the error of a bot without a connection for longer than Settings.GiveUpAfter.
type Unreachable struct{ Sentence string }

func (e *Unreachable) Error() string { return e.Sentence }

// joined puts a reason, which may be empty, before a sentence.
func joined(reason, sentence string) string {
	if reason == "" {
		return sentence
	}
	return reason + ": " + sentence
}
