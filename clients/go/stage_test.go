package paddock_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"paddock"
	v1 "paddock/v1"
)

const patience = 20 * time.Second // for what has to come

// stage is a server that a test plays.
type stage struct {
	v1.UnimplementedArenaServiceServer
	address string
	calls   chan *call
}

// call is one stream of a bot.
type call struct {
	stream v1.ArenaService_PlayServer
	heard  []*v1.BotItem // that were read and not yet looked at
	end    chan error
}

func newStage(t *testing.T) *stage {
	t.Helper()
	listener, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{address: "unix:" + listener.Addr().String(), calls: make(chan *call, 8)}
	server := grpc.NewServer()
	v1.RegisterArenaServiceServer(server, s)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return s
}

// Play hands the stream over to the test, and ends it as the test says.
func (s *stage) Play(stream v1.ArenaService_PlayServer) error {
	c := &call{stream: stream, end: make(chan error, 1)}
	s.calls <- c
	select {
	case err := <-c.end:
		return err
	case <-stream.Context().Done():
		return nil
	}
}

// welcome takes the next stream up to Welcome, and returns what its Hello said.
func (s *stage) welcome(t *testing.T) (*call, *v1.Hello) {
	t.Helper()
	select {
	case c := <-s.calls:
		hello := c.next(t).GetHello()
		if hello == nil {
			t.Fatal("the first item is not Hello")
		}
		c.say(t, &v1.RefereeItem{Item: &v1.RefereeItem_Welcome{Welcome: &v1.Welcome{ResumeToken: "again"}}})
		return c, hello
	case <-time.After(patience):
		t.Fatal("nobody connects")
		return nil, nil
	}
}

func (c *call) say(t *testing.T, items ...*v1.RefereeItem) {
	t.Helper()
	if err := c.stream.Send(&v1.PlayResponse{Items: items}); err != nil {
		t.Fatal(err)
	}
}

func (c *call) next(t *testing.T) *v1.BotItem {
	t.Helper()
	if len(c.heard) == 0 {
		frame, err := c.stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		c.heard = frame.GetItems()
	}
	item := c.heard[0]
	c.heard = c.heard[1:]
	return item
}

// start runs a bot against the stage; the returned channel gets what Play returns.
func (s *stage) start(t *testing.T, bot paddock.Bot) (stop func(), ended chan error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	ended = make(chan error, 1)
	go func() { ended <- paddock.Play(ctx, bot, paddock.Settings{Server: s.address, Name: "tested"}) }()
	return stop, ended
}

func wait(t *testing.T, ended chan error) error {
	t.Helper()
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		t.Fatal("the bot does not end")
		return nil
	}
}

// bot is a bot whose Choose is a function.
type bot func(ask *paddock.Ask) (int, error)

func (b bot) Choose(ask *paddock.Ask) (int, error) { return b(ask) }

// recorded is a file of tests/data/bots: asks with the answers of the sample bots.
type recorded struct {
	Secret  string
	Matches []struct {
		Started string
		Asks    []struct {
			Ask                     string
			Random, Greedy, Careful int
		}
	}
}

func readRecorded(t *testing.T, path string) recorded {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file recorded
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file
}

func decode[M proto.Message](t *testing.T, text string, message M) M {
	t.Helper()
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		err = proto.Unmarshal(bytes, message)
	}
	if err != nil {
		t.Fatal(err)
	}
	return message
}

// aMatch returns a match of summer as it starts, and its first asks.
func aMatch(t *testing.T) (*v1.MatchStarted, []*v1.Ask) {
	t.Helper()
	match := readRecorded(t, "../../tests/data/bots/summer.json").Matches[0]
	var asks []*v1.Ask
	for _, each := range match.Asks {
		asks = append(asks, decode(t, each.Ask, &v1.Ask{}))
	}
	return decode(t, match.Started, &v1.MatchStarted{}), asks
}

func started(match *v1.MatchStarted) *v1.RefereeItem {
	return &v1.RefereeItem{Item: &v1.RefereeItem_MatchStarted{MatchStarted: match}}
}

func ask(message *v1.Ask) *v1.RefereeItem {
	return &v1.RefereeItem{Item: &v1.RefereeItem_Ask{Ask: message}}
}

func ping(id uint64) *v1.RefereeItem {
	return &v1.RefereeItem{Item: &v1.RefereeItem_Ping{Ping: &v1.Ping{Id: id}}}
}

func goodbye(message *v1.Goodbye) *v1.RefereeItem {
	return &v1.RefereeItem{Item: &v1.RefereeItem_Goodbye{Goodbye: message}}
}
