"""The state that shows whether a file may have changed."""

from __future__ import annotations

import os
import time
from typing import NamedTuple

JUST_NOW = 2 * 10**9
"""Nanoseconds in which a file may change twice and show the same times: some systems count in seconds."""


class State(NamedTuple):
    """What the system reports of a file and changes with its content: place on the disk, size and times.

    Times are in nanoseconds since 1970. A program can set ``modified``, the time of the content, but not
    ``changed``, the time of the content or of what the system reports.
    """

    device: int
    inode: int
    size: int
    modified: int
    changed: int


def state(facts: os.stat_result) -> State:
    """The state of the file whose facts these are."""
    return State(facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)


def is_settled(changed: int) -> bool:
    """Whether a change at this time is so long ago that the next one would show another time."""
    return time.time_ns() - changed >= JUST_NOW
