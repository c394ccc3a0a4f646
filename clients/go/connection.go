package paddock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	v1 "paddock/v1"
)

const (
	replaced         = "session/replaced"
	farewellOfStream = 2 * time.Second // for the last answers to leave, when the bot is stopped
)

// connection is one stream after the other, until the bot stops or is refused.
type connection struct {
	route   *route
	token   string
	session *session
	log     *slog.Logger
}

// ending is the end of a stream after which another attempt makes sense.
type ending struct {
	sentence    string
	returnAfter time.Duration // that the server asked for
	welcomed    bool          // whether a session was open
	moved       string        // the address that the server named; empty: none
}

// stay plays over as many streams as needed, until the context ends. The error is a Refused, or an
// Unreachable where there was no connection for giveUpAfter, if that is not 0.
func (c *connection) stay(ctx context.Context, giveUpAfter time.Duration) error {
	var waits backoff
	connected := time.Now() // when a session was last open
	for {
		began, server := time.Now(), c.route.next()
		end, err := c.converse(ctx, server)
		if err != nil || ctx.Err() != nil {
			return err
		}
		if end.welcomed {
			connected = time.Now()
			if time.Since(began) > longestWait { // keep waiting longer for a server that hangs up at once
				waits.reset()
			}
		} else {
			c.route.failed()
		}
		if end.moved != "" {
			c.route.move(end.moved)
		}
		if giveUpAfter > 0 && time.Since(connected) >= giveUpAfter {
			return &Unreachable{server.target + ": " + end.sentence}
		}
		wait := waits.next(end.returnAfter)
		c.log.Warn(fmt.Sprintf("no connection to %s: %s; next attempt in %.1f s at %s",
			server.target, end.sentence, wait.Seconds(), c.route.next().target))
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil
		}
	}
}

// converse plays on one stream until it ends or the context does. The error is final.
func (c *connection) converse(ctx context.Context, server address) (ending, error) {
	channel, err := server.dial()
	if err != nil {
		return ending{}, &BadSettings{fmt.Sprintf("server: %s can't be used: %v", server.target, err)}
	}
	defer channel.Close()
	calling, cancel := context.WithCancel(context.Background())
	defer cancel()
	if c.token != "" {
		calling = metadata.AppendToOutgoingContext(calling, "authorization", "Bearer "+c.token)
	}
	outbox := c.session.connect()
	defer outbox.close()
	done := make(chan streamEnd, 1)
	go func() { done <- c.read(calling, v1.NewArenaServiceClient(channel), outbox) }()
	select {
	case end := <-done:
		welcomed, goodbye := c.session.disconnect()
		return end.judge(server, welcomed, goodbye)
	case <-ctx.Done():
		outbox.close() // the server ends the stream when it has read the last answers
		select {
		case <-done:
		case <-time.After(farewellOfStream):
		}
		c.session.disconnect()
		return ending{}, nil
	}
}

// streamEnd is how a stream ended: its status, and the reason in its metadata.
type streamEnd struct {
	status *status.Status
	reason string
}

// read passes items to the session until the stream ends. It waits for nothing but the stream, so
// that a Ping is answered at once whatever the bot is thinking about.
func (c *connection) read(ctx context.Context, arena v1.ArenaServiceClient, outbox *outbox) streamEnd {
	stream, err := arena.Play(ctx)
	if err != nil {
		return streamEnd{status.Convert(err), ""}
	}
	go func() {
		for frame := outbox.next(); frame != nil; frame = outbox.next() {
			if stream.Send(frame) != nil {
				return // the reader gets the reason
			}
		}
		stream.CloseSend()
	}()
	for {
		frame, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return streamEnd{status.New(codes.OK, ""), ""}
		}
		if err != nil {
			reason := strings.Join(stream.Trailer().Get("paddock-reason"), "")
			return streamEnd{status.Convert(err), reason}
		}
		for _, item := range frame.GetItems() {
			c.session.receive(item)
		}
	}
}

var reasons = regexp.MustCompile(`^[a-z_]+/[a-z_]+`)

// judge returns the ending of a stream, or an error where another attempt would fail the same way.
func (e streamEnd) judge(server address, welcomed bool, goodbye *v1.Goodbye) (ending, error) {
	reason, sentence := e.reason, e.status.Message()
	if reason == "" {
		reason = reasons.FindString(sentence)
	}
	sentence = strings.TrimLeft(strings.TrimPrefix(sentence, reason), ": ")
	if e.status.Code() == codes.Unavailable && reason == "" { // these are grpc's words
		trouble := server.explain(sentence, welcomed)
		if trouble.final {
			return ending{}, &Refused{trouble.reason, trouble.sentence}
		}
		sentence = trouble.sentence
	}
	switch e.status.Code() {
	case codes.Unauthenticated, codes.PermissionDenied, codes.InvalidArgument, codes.FailedPrecondition:
		return ending{}, &Refused{reason, orElse(sentence, e.status.Code().String())}
	}
	if reason == replaced {
		return ending{}, &Refused{reason, orElse(sentence, e.status.Code().String())}
	}
	end := ending{sentence: orElse(joined(reason, sentence), "the server closed the stream"), welcomed: welcomed}
	if goodbye != nil {
		if goodbye.GetReturnAfterMs() == 0 {
			return ending{}, &Refused{goodbye.GetReason(), goodbye.GetSentence()}
		}
		end.sentence = sentenceOf(goodbye)
		end.returnAfter = time.Duration(goodbye.GetReturnAfterMs()) * time.Millisecond
		end.moved = goodbye.GetAddress()
	} else if e.status.Code() != codes.OK {
		end.sentence += " (" + e.status.Code().String() + ")"
	}
	return end, nil
}

func orElse(sentence, other string) string {
	if sentence == "" {
		return other
	}
	return sentence
}
