"""What may be a name: of a topic, a system, an annotator, a document, a query, a judgement or a metric.

Names are text. Every name that passes `check` goes unchanged through tables, runs, figures, pages and
reruns, quotes and markup included; every other is refused where it is read.
"""

from __future__ import annotations

import re

from sera import limits
from sera.errors import InputError, Path

# Control characters, tabs and line breaks among them; separators of lines; marks that turn the direction of
# what follows; halves of a character; and white space other than the blank.
_REFUSED = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff"
    "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
)
REMEDY = (
    "A name has no tabs, line breaks, control characters and marks of direction, and no blank at its ends: "
    "rename it."
)


def check(kind: str, name: str, *, path: Path | None = None, line: int | None = None) -> str:
    """The name itself; InputError if it may not be one. ``kind`` says what it names, as in "system"."""
    if name.isascii() and name.isprintable():  # nearly all
        wrong = ""
    else:
        found = _REFUSED.search(name)
        wrong = f"has the character {_code(found[0])} in it" if found else ""
    if not name:
        wrong = "is empty"
    elif not wrong and (name[0] == " " or name[-1] == " "):
        wrong = "has a blank at its end"
    elif len(name) > 100 and len(name) > limits.NAME.value:
        raise limits.NAME.passed(path=path, line=line)
    if wrong:
        shown = name if len(name) <= 80 else name[:77] + "..."
        raise InputError(f"the {kind} {shown!r} {wrong}", path=path, line=line, remedy=REMEDY)
    return name


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"
