package paddock

import (
	"runtime"
	"sync"

	"google.golang.org/protobuf/proto"

	v1 "paddock/v1"
)

const (
	mostItems = 256      // of a frame
	mostBytes = 48 << 10 // of a frame, which may have 64 KB
)

// outbox has the items of one stream that are still to be sent, in order. Items that arrive during
// one write leave together in the next frame.
type outbox struct {
	mu     sync.Mutex
	filled *sync.Cond
	items  []*v1.BotItem
	closed bool
}

func newOutbox() *outbox {
	o := &outbox{}
	o.filled = sync.NewCond(&o.mu)
	return o
}

// put sends an item with the next frame.
func (o *outbox) put(item *v1.BotItem) {
	o.mu.Lock()
	o.items = append(o.items, item)
	o.mu.Unlock()
	o.filled.Signal()
}

// close ends the frames when all items are sent.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.filled.Signal()
}

// next waits for items and returns them as a frame; nil: the outbox is closed and empty.
func (o *outbox) next() *v1.PlayRequest {
	o.mu.Lock()
	for len(o.items) == 0 && !o.closed {
		o.filled.Wait()
	}
	o.mu.Unlock()
	runtime.Gosched() // others that are about to put something may do so: it leaves in this frame
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.items) == 0 {
		return nil
	}
	count, bytes := 0, 0
	for count < min(len(o.items), mostItems) {
		bytes += proto.Size(o.items[count])
		if bytes > mostBytes && count > 0 {
			break
		}
		count++
	}
	frame := &v1.PlayRequest{Items: o.items[:count:count]}
	o.items = o.items[count:]
	return frame
}
