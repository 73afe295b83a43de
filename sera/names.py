"""Rules for names: of topics, systems, annotators, documents, queries, judgements and metrics.

A name is a text. A name that passes `check` stays unchanged in tables, runs, figures, pages and reruns, even
with quotes and markup in it. Any other name is refused when it is read.
"""

import csv
import difflib
import re
import unicodedata
from collections.abc import Iterable

from sera.errors import InputError, Path

# Control characters (with tabs and line breaks), line separators, marks of text direction, halves of a
# character, characters that XML and therefore figures cannot hold, and white space other than the blank.
_REFUSED = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe"
    "\uffff\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
)

NAME_REMEDY = (
    "Rename it: a name has no tabs, line breaks, control characters or marks of direction, and no blank at "
    "its ends."
)


def check(kind: str, name: str, *, path: Path | None = None, line: int | None = None) -> str:
    """The name itself; raises InputError if it is not allowed. ``kind``: what it names, as in "system"."""
    if not name:
        wrong = "is empty"
    elif name[0] == " " or name[-1] == " ":
        wrong = "has a blank at its end"
    elif not (name.isascii() and name.isprintable()) and (found := _REFUSED.search(name)):
        wrong = f"has the character U+{ord(found[0]):04X} in it"
    else:
        return name
    raise InputError(f"the {kind} {_shown(name)} {wrong}", path=path, line=line, remedy=NAME_REMEDY)


def are_allowed(names: Iterable[str]) -> bool:
    """Whether names pass `check`, found for all at once; False may also be of unusual names that do."""
    text = f"|{'|'.join(names)}|"
    is_common = text.isascii() and text.isprintable()
    return is_common and not any(wrong in text for wrong in ("||", "| ", " |"))


def check_forms(kind: str, names: Iterable[str], others: Iterable[str], *, path: Path | None = None) -> None:
    """InputError for a name in one of two lists if the other list has it in another Unicode form.

    Such as ``é`` in one or in two characters. Two names that are in both lists are different names.
    """
    names, others = set(names), set(others)
    if not (own := names - others):
        return
    forms = {unicodedata.normalize("NFC", name) for name in others - names}
    for name in sorted(own):
        if unicodedata.normalize("NFC", name) in forms:
            problem = f"the {kind} {_shown(name)} differs from another only in its Unicode form"
            remedy = "Write names in one form: unicodedata.normalize('NFC', name) in Python."
            raise InputError(problem, path=path, remedy=remedy)


def check_file_name(kind: str, name: str, *, path: Path | None = None) -> str:
    """The name itself; raises InputError if it is not allowed as a name, or not as the name of a file."""
    check(kind, name, path=path)
    # a file name has at most 255 bytes; a suffix, and the temporary name while it is written, need some
    if "/" in name or name[0] in ".-" or len(name.encode()) > 200:
        problem = f"the {kind} {_shown(name)} cannot be the name of a file"
        remedy = "Rename it: a file's name has no slash, no dot or dash at its start, and up to 200 bytes."
        raise InputError(problem, path=path, remedy=remedy)
    return name


# Text in quotes, or else a metric with its settings. No character is read twice.
_SETTINGS = re.compile(r'("(?:[^"]|"")*+")|(?<![^,"()=])[^,"()=]++\([^()"=]*+=[^()"]*+\)')


def separated(text: str) -> list[str]:
    """The names in a text that separates them by commas; a name with a comma in it is quoted, as in CSV.

    >>> separated('ROUGE-2-F, "one, two", ROUGE-L-F(stem=true,stop=true)')
    ['ROUGE-2-F', 'one, two', 'ROUGE-L-F(stem=true,stop=true)']

    Commas of settings, as in the last one, need no quotes. Raises InputError for unpaired quotes.
    """
    text = _SETTINGS.sub(lambda found: found[1] or f'"{found[0].strip()}"', text)
    if '"' not in text:
        return [name.strip() for name in text.split(",") if name.strip()]
    try:
        rows = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise InputError(
            f"{text[:80]!r} is not a list of names: {error}",
            remedy='Put commas between names, and quotes around a name with a comma: "a,b",c.',
        ) from None
    return [name.strip() for row in rows for name in row if name.strip()]


def nearest_names(name: str, known: Iterable[str], most: int = 3, cutoff: float = 0.5) -> list[str]:
    """At most ``most`` names that are spelt like this one, the nearest first; case does not count.

    >>> nearest_names("rouge-2-f", ["Frame-2", "ROUGE-2-F"], most=1)
    ['ROUGE-2-F']
    """
    matcher = difflib.SequenceMatcher(b=name[:200].casefold())
    likeness = {}
    for each in known:
        matcher.set_seq1(each.casefold())
        likeness[each] = matcher.ratio()
    near = sorted(likeness, key=lambda each: (-likeness[each], each))
    return [each for each in near[:most] if likeness[each] >= cutoff]


def _shown(name: str) -> str:
    return repr(name if len(name) <= 80 else name[:77] + "...")
