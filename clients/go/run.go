package paddock

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"
	"time"

	"paddock/dinotwist"
	v1 "paddock/v1"
)

// Version is the version of this SDK.
const Version = "0.1.0"

// knownRules are the newest versions of the rules that are known here, by game.
var knownRules = map[string]uint32{"draftosaurus": 1, "dino_twist": dinotwist.RulesVersion}

const usualMatches = 8 // at once

// Settings are how a bot is run. All of them may be left out.
type Settings struct {
	Name       string   // as the server knows the bot, unless PADDOCK_BOT says another; by default the name of its type
	Version    string   // of the bot; by default "1"
	Formats    []string // that it plays; by default all that the server has
	MaxMatches int      // how many it plays at once; by default 8

	// Server is HOST:PORT, https://HOST:PORT or unix:PATH, or a list of them with commas, which are
	// tried in turn; by default PADDOCK_SERVER.
	Server  string
	Token   string // by default PADDOCK_TOKEN
	TLSCA   string // the file of the server's CA, PEM; turns TLS on; by default PADDOCK_TLS_CA
	TLSCert string // the file of the bot's own certificate, PEM
	TLSKey  string // the file of its key, PEM

	StopWhenIdle bool          // end once all matches that began have ended
	GiveUpAfter  time.Duration // without a connection; 0: never
	Logger       *slog.Logger  // by default slog.Default()

	calledName string // from the command line
}

// Run lets the bot play until the process gets SIGINT (Ctrl-C) or SIGTERM, and reconnects as often as
// it takes. It ends the process with code 2 and the server's sentence if the bot is refused.
func Run(bot Bot, settings Settings) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process
	}()
	if err := Play(ctx, bot, settings); err != nil {
		settings.logger().Error(err.Error())
		var unreachable *Unreachable
		if errors.As(err, &unreachable) {
			os.Exit(1)
		}
		os.Exit(2)
	}
}

// Play lets the bot play until the context ends. The error is a *BadSettings, a *Refused or an
// *Unreachable.
func Play(ctx context.Context, bot Bot, settings Settings) error {
	files := certificates{settings.TLSCA, settings.TLSCert, settings.TLSKey}
	addresses, err := givenAddresses(settings.Server, files)
	if err != nil {
		return err
	}
	token, err := readToken(orElse(settings.Token, os.Getenv("PADDOCK_TOKEN")))
	if err != nil {
		return err
	}
	hello, err := settings.hello(bot)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	idle := func() {}
	if settings.StopWhenIdle {
		idle = stop
	}
	log := settings.logger()
	session := newSession(bot, hello, log, idle)
	defer session.close()
	log.Info(fmt.Sprintf("connecting: %s to %s", hello.GetBot(), addresses[0].target))
	connection := &connection{newRoute(addresses, log), token, session, log}
	return connection.stay(ctx, settings.GiveUpAfter)
}

func (s Settings) logger() *slog.Logger {
	if s.Logger != nil {
		return s.Logger
	}
	return slog.Default()
}

func (s Settings) hello(bot Bot) (*v1.Hello, error) {
	matches := s.MaxMatches
	if matches == 0 {
		matches = usualMatches
	}
	if matches < 0 {
		return nil, &BadSettings{fmt.Sprintf("max_matches: give 1 or more, not %d", matches)}
	}
	version := []rune(orElse(s.Version, "1"))
	return &v1.Hello{
		Bot:           s.name(bot),
		Version:       string(version[:min(len(version), 40)]),
		Client:        "paddock-go/" + Version,
		Protocol:      protocol,
		Formats:       s.Formats,
		KnownFormats:  Formats,
		MaxMatches:    uint32(matches),
		SendsNonces:   true,
		CommitsNonces: true,
		Language:      "Go",
	}, nil
}

func (s Settings) name(bot Bot) string {
	kind := reflect.TypeOf(bot)
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	return orElse(s.calledName, orElse(os.Getenv("PADDOCK_BOT"), orElse(s.Name, kind.Name())))
}

func readToken(text string) (string, error) {
	token := strings.TrimSpace(text) // files that tokens are read from end in a newline
	for _, character := range token {
		if character < ' ' || character > '~' {
			return "", &BadSettings{"token: it has invalid characters; copy it again"}
		}
	}
	return token, nil
}
