"""The referee's words as items of a frame, and a bot's answers as the referee takes them."""
