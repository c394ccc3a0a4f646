"""The referee: one match as a state machine without I/O; events in, commands out."""
