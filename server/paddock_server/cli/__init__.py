"""The command line: one module per command; only this room prints."""

from paddock_server.cli.app import run

__all__ = ["run"]
