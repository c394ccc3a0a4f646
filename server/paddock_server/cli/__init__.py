"""The command line: one file a command, and nothing but the command line prints."""

from paddock_server.cli.app import run

__all__ = ["run"]
