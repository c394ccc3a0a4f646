// Command greedy is the sample bot greedy.
package main

import (
	"paddock"
	"paddock/bots"
)

func main() {
	paddock.Main(bots.Greedy{}, "A bot that takes the best immediate points.", paddock.Settings{Name: "greedy"})
}
