"""Jails: processes that see nothing of the machine but a toolchain, and can harm nobody."""
