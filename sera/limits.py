"""Limits on the sizes of inputs, which bound the memory that reading takes.

Ordinary files reach none of them. An input over a limit is an error, which names the environment variable
that raises the limit.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from sera.errors import InputError, Path


@dataclass(frozen=True)
class Limit:
    """A limit on the size of one part of an input.

    variable:  the environment variable that sets the limit
    usual:     the limit if the variable is not set
    what:      the part, in the singular
    unit:      the unit of the limit, in the plural
    """

    variable: str
    usual: int
    what: str
    unit: str

    @property
    def value(self) -> int:
        """The limit in force; InputError if the environment variable is not a whole number above 0."""
        text = os.environ.get(self.variable)
        if not text:
            return self.usual
        if not (text.isascii() and text.isdigit() and len(text) <= 18 and int(text)):
            raise InputError(
                f"the environment variable {self.variable} is {text[:40]!r}",
                remedy=f"Set it to a number of {self.unit} above 0, or unset it ({self.usual}).",
            )
        return int(text)

    def passed(self, *, path: Path | None = None, line: int | None = None) -> InputError:
        """The error for an input over the limit."""
        return InputError(
            f"{self.what} is over the limit of {self.value} {self.unit}",
            path=path,
            line=line,
            remedy=f"If the file is right, raise the environment variable {self.variable}.",
        )


LINE = Limit("SERA_LONGEST_LINE", 64 * 2**20, "a line", "bytes")
FILE = Limit("SERA_LARGEST_FILE", 2**30, "a file that is read as a whole", "bytes")
NUMBER = Limit("SERA_LONGEST_NUMBER", 400, "a number", "characters")
DEPTH = Limit("SERA_DEEPEST_NESTING", 200, "the nesting of lists and objects", "levels")
NAME = Limit("SERA_LONGEST_NAME", 1000, "a name", "characters")
MEMBER = Limit("SERA_LARGEST_ARTICLE", 64 * 2**20, "the XML of an article", "bytes")
ELEMENTS = Limit("SERA_MOST_ELEMENTS", 2_000_000, "the XML of an article", "elements")
DOWNLOAD = Limit("SERA_LARGEST_DOWNLOAD", 2**37, "a file that is fetched", "bytes")
ANSWER = Limit("SERA_LARGEST_ANSWER", 2**28, "an answer of a server", "bytes")
WAIT = Limit("SERA_LONGEST_WAIT", 300, "the time that a server asks to wait", "seconds")
SAMPLE = Limit("SERA_LARGEST_SAMPLE", 2**30, "the sample of an index that vectors are learnt from", "words")

LIMITS = (LINE, FILE, NUMBER, DEPTH, NAME, MEMBER, ELEMENTS, DOWNLOAD, ANSWER, WAIT, SAMPLE)
