// Command choose answers recorded asks as the sample bots do, so that all languages can be compared.
//
// It reads lines: "match SECRET BASE64" with a MatchStarted begins a match, and "ask BASE64" is an Ask
// of it, for which it prints the numbers that random, greedy and careful choose.
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strings"

	"google.golang.org/protobuf/proto"

	"paddock"
	"paddock/bots"
	v1 "paddock/v1"
)

func main() {
	if err := answer(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answer() error {
	lines := bufio.NewReader(os.Stdin)
	printed := bufio.NewWriter(os.Stdout)
	defer printed.Flush()
	var match *paddock.Match
	var seed [32]byte
	var decision uint32
	for number := 1; ; number++ {
		line, err := lines.ReadString('\n')
		if line == "" && err != nil {
			return nil
		}
		words := strings.Fields(line)
		switch {
		case len(words) == 3 && words[0] == "match":
			started := &v1.MatchStarted{}
			if err := decode(words[2], started); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			if match, err = paddock.ReadMatch(started); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			seed, decision = paddock.MatchSeed([]byte(words[1]), match.Dice, match.Seat), 0
		case len(words) == 2 && words[0] == "ask" && match != nil:
			sent := &v1.Ask{}
			if err := decode(words[1], sent); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			numbers, err := choices(sent, match, paddock.NewDice(seed, decision))
			if err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			decision++
			fmt.Fprintln(printed, numbers...)
			if lines.Buffered() == 0 {
				printed.Flush()
			}
		default:
			return fmt.Errorf(`line %d: write "match SECRET BASE64", then "ask BASE64"`, number)
		}
	}
}

func decode(text string, message proto.Message) error {
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	return proto.Unmarshal(bytes, message)
}

func choices(sent *v1.Ask, match *paddock.Match, dice *paddock.Dice) ([]any, error) {
	ask, err := paddock.ReadAsk(sent, match, dice)
	if err != nil {
		return nil, err
	}
	var numbers []any
	for _, bot := range []paddock.Bot{bots.Random{}, bots.Greedy{}, bots.Careful{}} {
		number, err := bot.Choose(ask)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, number)
	}
	return numbers, nil
}
