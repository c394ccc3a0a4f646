package dev.paddock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paddock.v1.BotItem;
import dev.paddock.v1.Choice;
import dev.paddock.v1.PlayRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {
  @Test
  void noFrameIsTooLarge() throws Exception {
    Outbox outbox = new Outbox();
    List<BotItem> put = new ArrayList<>();
    for (int id = 0; id < 600; id++) {
      String reason = id < 300 ? "\u20ac".repeat(200) : "";
      Choice choice = Choice.newBuilder().setAskId(id).setFallback(reason).build();
      put.add(BotItem.newBuilder().setChoice(choice).build());
    }
    put.forEach(outbox::put);
    outbox.close();
    List<BotItem> left = new ArrayList<>();
    for (PlayRequest frame; (frame = outbox.next(() -> true)) != null; ) {
      assertTrue(frame.getSerializedSize() <= 64 * 1024 && frame.getItemsCount() <= 256);
      left.addAll(frame.getItemsList());
    }
    assertEquals(put, left);
  }
}
