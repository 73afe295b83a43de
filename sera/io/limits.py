"""Limits on the sizes of inputs, which bound the memory that reading takes; ordinary files reach none.

An input over a limit is an error. Two limits can be raised by an environment variable, which the error names.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from sera.errors import InputError, Path


@dataclass
class Limit:
    """A limit on the size of one part of an input.

    usual:     the limit if no variable sets another
    what:      the part, in the singular
    unit:      the unit of the limit, in the plural
    variable:  the environment variable that sets the limit; empty if none does
    """

    usual: int
    what: str
    unit: str
    variable: str = ""

    @property
    def value(self) -> int:
        """The limit in force; InputError if the environment variable is not a whole number above 0."""
        text = os.environ.get(self.variable) if self.variable else ""
        if not text:
            return self.usual
        if not (text.isascii() and text.isdigit() and len(text) <= 18 and int(text)):
            remedy = f"Set it to a number of {self.unit} above 0, or unset it ({self.usual})."
            raise InputError(f"the environment variable {self.variable} is {text[:40]!r}", remedy=remedy)
        return int(text)

    def passed(self, *, path: Path | None = None, line: int | None = None) -> InputError:
        """The error for an input over the limit."""
        return InputError(
            f"{self.what} is over the limit of {self.value} {self.unit}",
            path=path,
            line=line,
            remedy=f"If the file is right, raise the environment variable {self.variable}."
            if self.variable
            else "Check it: ordinary ones are smaller by far.",
        )


LINE = Limit(64 * 2**20, "a line", "bytes", "SERA_LONGEST_LINE")
FILE = Limit(2**30, "a file that is read as a whole", "bytes")
NUMBER = Limit(400, "a number", "characters")
MEMBER = Limit(64 * 2**20, "the XML of an article", "bytes")
ELEMENTS = Limit(2_000_000, "the XML of an article", "elements")
WAIT = Limit(300, "the time that a server asks to wait", "seconds", "SERA_LONGEST_WAIT")
SAMPLE = Limit(2**30, "the sample of an index that vectors are learnt from", "words")

LIMITS = (LINE, FILE, NUMBER, MEMBER, ELEMENTS, WAIT, SAMPLE)
