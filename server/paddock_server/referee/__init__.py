"""The referee: one match as a machine without I/O. Events in, commands out, time as a value."""
