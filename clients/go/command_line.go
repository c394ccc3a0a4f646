package paddock

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
)

// Main runs the bot with the options of the command line; `--help` lists them.
func Main(bot Bot, description string, settings Settings) {
	verbose, err := settings.parse(os.Args[1:], description, os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%v; --help lists the options\n", err)
		os.Exit(2)
	}
	if verbose {
		slog.SetLogLoggerLevel(slog.LevelDebug)
	}
	Run(bot, settings)
}

// parse reads the options of a command line into the settings; it writes the help where that is asked.
func (s *Settings) parse(arguments []string, description string, help io.Writer) (verbose bool, err error) {
	options := flag.NewFlagSet("bot", flag.ContinueOnError)
	options.SetOutput(io.Discard)
	options.StringVar(&s.Server, "server", s.Server, "")
	options.StringVar(&s.Token, "token", s.Token, "")
	options.StringVar(&s.calledName, "name", "", "")
	options.StringVar(&s.TLSCA, "tls-ca", s.TLSCA, "")
	options.StringVar(&s.TLSCert, "tls-cert", s.TLSCert, "")
	options.StringVar(&s.TLSKey, "tls-key", s.TLSKey, "")
	matches := options.Int("max-matches", max(s.MaxMatches, 0), "")
	options.BoolVar(&verbose, "verbose", false, "")
	options.Usage = func() {} // it would be printed for every mistake
	if err := options.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(help, usage, description, DefaultServer, s.Name, usualMatches)
		}
		return false, err
	}
	if options.NArg() > 0 {
		return false, fmt.Errorf("unknown argument %q", options.Arg(0))
	}
	options.Visit(func(given *flag.Flag) {
		if given.Name == "max-matches" && *matches < 1 {
			err = fmt.Errorf("--max-matches: give 1 or more, not %d", *matches)
		}
	})
	s.MaxMatches = *matches
	return verbose, err
}

const usage = `%s

options:
  --server HOST:PORT  the server, or https://HOST:PORT, or a list with commas; default %s
  --token TOKEN       the bot's token; better in PADDOCK_TOKEN
  --name NAME         the bot's name on the server; default %s
  --tls-ca FILE       the file of the server's CA, PEM; turns TLS on
  --tls-cert FILE     the bot's own certificate, PEM
  --tls-key FILE      the key of the bot's certificate, PEM
  --max-matches N     most matches at once; default %d
  --verbose           log every decision

Missing options are taken from PADDOCK_SERVER, PADDOCK_TOKEN, PADDOCK_TLS_CA and PADDOCK_BOT.
`
