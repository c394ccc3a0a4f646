import dev.paddock.Ask;
import dev.paddock.Paddock;
import dev.paddock.Settings;

/** A bot in Java. `choose` is called for every decision; put your strategy there. */
public class Bot implements dev.paddock.Bot {
  /** Returns the number of one of the legal choices; ask.view() is what this seat knows. */
  @Override
  public int choose(Ask ask) {
    return ask.below(ask.legal().size());
  }

  public static void main(String[] arguments) {
    String description = "A bot that plays any legal choice.";
    Paddock.main(new Bot(), description, new Settings().name("@NAME@"), arguments);
  }
}
