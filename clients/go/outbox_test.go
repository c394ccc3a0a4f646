package paddock

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	v1 "paddock/v1"
)

func TestNoFrameIsTooLarge(t *testing.T) {
	o := newOutbox()
	reason := strings.Repeat("\U0001F4A9", 200)
	for id := range uint64(300) {
		choice := &v1.Choice{AskId: id, Fallback: reason}
		o.put(&v1.BotItem{Item: &v1.BotItem_Choice{Choice: choice}})
	}
	for id := range uint64(300) {
		o.put(&v1.BotItem{Item: &v1.BotItem_Pong{Pong: &v1.Pong{Id: id}}})
	}
	o.close()
	var items []*v1.BotItem
	for frame := o.next(); frame != nil; frame = o.next() {
		if size := proto.Size(frame); size > 64<<10 || len(frame.GetItems()) > mostItems {
			t.Errorf("a frame has %d bytes and %d items", size, len(frame.GetItems()))
		}
		items = append(items, frame.GetItems()...)
	}
	if len(items) != 600 || items[299].GetChoice().GetAskId() != 299 || items[599].GetPong().GetId() != 299 {
		t.Errorf("%d items left, and not all in order", len(items))
	}
}
