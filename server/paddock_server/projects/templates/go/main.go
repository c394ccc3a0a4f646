// A bot in Go. Choose is called for every decision; put your strategy there.
package main

import "paddock"

type mine struct{}

// Choose returns the number of one of the legal choices; ask.View is what this seat knows.
func (mine) Choose(ask *paddock.Ask) (int, error) {
	return ask.Below(ask.View.Choices()), nil
}

func main() {
	paddock.Main(mine{}, "A bot that plays any legal choice.", paddock.Settings{Name: "@NAME@"})
}
