// Command searcher is the sample bot careful.
package main

import (
	"paddock"
	"paddock/bots"
)

func main() {
	paddock.Main(bots.Careful{}, "A bot that considers later turns and what it leaves to others.", paddock.Settings{Name: "careful"})
}
