"""What may be a name: of a topic, a system, an annotator, a document, a query, a judgement or a metric.

Names are text. Every name that passes `check` goes unchanged through tables, runs, figures, pages and
reruns, quotes and markup included; every other is refused where it is read.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable

from sera import limits
from sera.errors import InputError, Path

# Control characters, tabs and line breaks among them; separators of lines; marks that turn the direction of
# what follows; halves of a character; what XML, and so a figure, cannot hold; and white space other than the
# blank.
_REFUSED = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe"
    "\uffff\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
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
        raise InputError(f"the {kind} {_shown(name)} {wrong}", path=path, line=line, remedy=REMEDY)
    return name


# A file's name has 255 bytes, of which an ending and the name of a part that is being written take some.
_LONGEST_FILE = 200
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_FILE_REMEDY = (
    "A file's name has no slash, begins with neither dot nor dash, has up to 200 bytes, and is none of "
    "Windows's devices: rename it."
)


def check_file(kind: str, name: str, *, path: Path | None = None, line: int | None = None) -> str:
    """A name that is to be a file's name too; InputError if it may not be a name, or not that of a file."""
    check(kind, name, path=path, line=line)
    if "/" in name:
        wrong = "has a slash in it"
    elif name[0] in ".-":
        wrong = f"begins with {'a dot' if name[0] == '.' else 'a dash'}"
    elif len(name.encode()) > _LONGEST_FILE:
        wrong = f"has more than {_LONGEST_FILE} bytes"
    elif _DEVICE.fullmatch(name):
        wrong = "is the name of a device"
    else:
        return name
    raise InputError(
        f"the {kind} {_shown(name)} {wrong} and cannot be the name of a file",
        path=path,
        line=line,
        remedy=_FILE_REMEDY,
    )


def check_files(kind: str, names: Iterable[str], *, path: Path | None = None) -> None:
    """Names that are to be the names of files of one folder.

    InputError as of `check_file`, and for two that some systems hold for one: equal but for case, or for how
    accents are written.
    """
    seen: dict[str, str] = {}
    for name in names:
        check_file(kind, name, path=path)
        plain = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
        if seen.setdefault(plain, name) != name:
            raise InputError(
                f"the {kind}s {seen[plain]!r} and {name!r} cannot both be names of files: they differ in "
                "nothing but case or how accents are written",
                path=path,
                remedy="Rename one of them.",
            )


def separated(text: str) -> list[str]:
    """The names in a text, commas between; one that has a comma in it stands in quotes, as in CSV.

    >>> separated('ROUGE-2-F, "one, two"')
    ['ROUGE-2-F', 'one, two']

    InputError for quotes that do not pair.
    """
    if '"' not in text:
        return [name.strip() for name in text.split(",") if name.strip()]
    try:
        rows = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise InputError(
            f"{text[:80]!r} is no list of names: {error}",
            remedy='Put commas between names, and quotes around a name with a comma: "a,b",c.',
        ) from None
    return [name.strip() for row in rows for name in row if name.strip()]


def _shown(name: str) -> str:
    return repr(name if len(name) <= 80 else name[:77] + "...")


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"
