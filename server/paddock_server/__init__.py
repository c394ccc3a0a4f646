"""Paddock's world: everything with a clock, a disk, a network or a terminal."""
