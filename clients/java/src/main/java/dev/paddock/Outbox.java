package dev.paddock;

import dev.paddock.v1.BotItem;
import dev.paddock.v1.PlayRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * The items of one stream that are still to be sent, in order. Items that arrive during one write
 * leave together in the next frame.
 */
final class Outbox {
  private static final int MOST_ITEMS = 256; // of a frame
  private static final int MOST_BYTES = 48 * 1024; // of a frame, which may have 64 KB

  private final Deque<BotItem> items = new ArrayDeque<>();
  private boolean closed;

  /** Sends an item with the next frame. */
  synchronized void put(BotItem item) {
    items.add(item);
    notifyAll();
  }

  /** Ends the frames when all items are sent. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Has `next` look again whether the stream takes a frame. */
  synchronized void wake() {
    notifyAll();
  }

  /**
   * Waits for items, and for the stream to take them, and returns them as a frame; null: the outbox
   * is closed and empty.
   */
  PlayRequest next(BooleanSupplier streamIsReady) throws InterruptedException {
    synchronized (this) {
      while (items.isEmpty() ? !closed : !streamIsReady.getAsBoolean()) {
        wait();
      }
    }
    Thread.yield(); // others that are about to put something may do so: it leaves in this frame
    synchronized (this) {
      if (items.isEmpty()) {
        return null;
      }
      PlayRequest.Builder frame = PlayRequest.newBuilder();
      int bytes = 0;
      while (!items.isEmpty() && frame.getItemsCount() < MOST_ITEMS) {
        bytes += items.element().getSerializedSize();
        if (bytes > MOST_BYTES && frame.getItemsCount() > 0) {
          break;
        }
        frame.addItems(items.remove());
      }
      return frame.build();
    }
  }
}
