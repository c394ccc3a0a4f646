"""A strict machine: a virtual one whose kernel has all controllers of cgroup v2."""
