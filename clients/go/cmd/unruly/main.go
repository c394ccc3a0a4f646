// Command unruly is a bot for the tests: with UNRULY=slow it thinks for long where it may, with
// UNRULY=failing it fails.
package main

import (
	"errors"
	"os"
	"time"

	"paddock"
)

const long = 3 * time.Second

type unruly struct{}

func (unruly) Choose(ask *paddock.Ask) (int, error) {
	if os.Getenv("UNRULY") == "failing" {
		return 0, errors.New("no idea")
	}
	if ask.Time > long {
		time.Sleep(long)
	}
	return 0, nil
}

func main() {
	paddock.Main(unruly{}, "A bot for the tests.", paddock.Settings{Name: "unruly"})
}
