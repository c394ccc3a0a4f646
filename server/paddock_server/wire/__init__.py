"""The rules' values and the referee's words as bytes, and back: all that knows the wire's shape."""
