// Command random is the sample bot random.
package main

import (
	"paddock"
	"paddock/bots"
)

func main() {
	paddock.Main(bots.Random{}, "A bot that plays any legal choice.", paddock.Settings{Name: "random"})
}
