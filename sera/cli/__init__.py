"""The command line, `sera --help`: a file a group of commands."""

from sera.cli.commands import main

__all__ = ["main"]
