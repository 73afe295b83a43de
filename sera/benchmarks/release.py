"""The files and texts of a release: a folder that others packed and that is read as it was unpacked.

Links in it are not followed: a link could lead to any file of the machine, and the text of that file would
then appear in summaries and results. The named folder itself may be a link, or be reached through links,
since that is the user's choice.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from sera.benchmarks import Topic, as_document
from sera.errors import Faults, InputError
from sera.io import files
from sera.io.records import Candidate, Document, Reference, Section, Source
from sera.text import sentences as boundaries

_Line = TypeVar("_Line")
_Parsed = TypeVar("_Parsed")
NO_LINK = "Put there what it leads to: links in a release are not followed."


def entries(folder: Path) -> list[Path]:
    """The content of a folder, sorted, without names that begin with a dot."""
    try:
        return sorted(folder / name for name in os.listdir(folder) if not name.startswith("."))
    except OSError as error:
        raise files.unreadable(folder, error, "a folder") from None


def is_folder(path: Path) -> bool:
    """Whether a folder of the release exists; InputError for a link, or a file."""
    if path.is_symlink():
        raise InputError("is a link", path=path, remedy=NO_LINK)
    if path.exists() and not path.is_dir():
        raise InputError("is not a folder", path=path, remedy="Put there the folder of the release.")
    return path.is_dir()


def check_file(path: Path) -> Path:
    """The path itself; InputError for a link, and for what is not a file."""
    if path.is_symlink():
        raise InputError("is a link", path=path, remedy=NO_LINK)
    if not path.is_file():
        raise InputError("is not a file", path=path, remedy="Unpack the release again.")
    return path


def required(folder: str | Path, names: Iterable[str], remedy: str) -> list[Path]:
    """The files of these names in a folder; InputError names those that are missing, and for a link."""
    paths = {name: Path(folder, name) for name in names}
    absent = [name for name, path in paths.items() if not path.exists() and not path.is_symlink()]
    if absent:
        raise InputError(f"lacks {', '.join(absent)}", path=folder, remedy=remedy)
    return [check_file(path) for path in paths.values()]


def walk(folder: Path) -> list[Path]:
    """All paths below a folder that are not folders, sorted, without names that begin with a dot."""
    paths, folders = [], [folder]
    while folders:
        for path in entries(folders.pop()):
            if not path.is_dir():
                paths.append(path)
            elif is_folder(path):
                folders.append(path)
    return sorted(paths)


def decoded_text(path: Path, otherwise: str) -> str:
    """A file's text without a byte order mark, decoded as UTF-8, or else by the encoding ``otherwise``.

    Bytes that the other encoding does not define become the replacement character.
    """
    content = files.read_bytes(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode(otherwise, "replace")


def lines_of(text: str) -> list[str]:
    """The lines of a text that are not blank, white space collapsed; a line ends with LF, CRLF or CR."""
    return [line for row in re.split(r"\r\n|\r|\n", text) if (line := " ".join(row.split()))]


def each_parsed(
    path: Path, lines: Iterable[tuple[int, _Line]], parse: Callable[[_Line], _Parsed], remedy: str
) -> Iterator[tuple[int, _Parsed]]:
    """What ``parse`` makes of each line, with the line's number.

    InputError with up to ten of the lines for which ``parse`` raises it, with ``remedy`` where it has none.
    """
    faults = Faults()
    for number, line in lines:
        try:
            yield number, parse(line)
        except InputError as error:
            own = error.remedy or remedy
            faults.append(InputError(error.problem, path=path, line=number, remedy=own))
    faults.raise_all()


# Texts that are not cut into sentences, as most releases of judged summaries have them
# --------------------------------------------------------------------------------------

_MARKS = re.compile(r"</?s>|<pad>|<unk>|<n>")
_FULL_STOPS = re.compile(r"(?<=\s[.!?])\s")
# In a text without capitals: a full stop after a word of three characters or more, not of an abbreviation.
_LOWER_CASE_ENDS = re.compile(r"(?<=[^\W_][^\s.]{2}[.!?])(?<!\bfigs\.)(?<!\brefs\.)(?<!\bresp\.)\s")


def sentences(of: str) -> tuple[str, ...]:
    """The sentences of a text, tokenised or not; a model's marks (``<s>``, ``<pad>``, ``<n>``) are left out.

    A full stop that is a token ends a sentence, since in tokenised text a sentence often begins in lower
    case; in a text without capitals one after a word of three or more characters does too.
    `sera.text.sentences` finds the other ends.
    """
    text = _MARKS.sub(" ", of)
    pieces = _FULL_STOPS.split(text)
    if text == text.lower():
        pieces = [end for piece in pieces for end in _LOWER_CASE_ENDS.split(piece)]
    return tuple(sentence for piece in pieces for sentence in boundaries.sentences(piece))


def topic(
    name: str, articles: Iterable[str], references: Mapping[str, str], summaries: Mapping[str, str]
) -> Topic:
    """A topic of judged summaries: its articles, or parts of one, are the sections of one source.

    ``references`` has the text of each annotator, ``summaries`` that of each system. Where a release has no
    article, the source is empty, and the references stand in for it among the documents to search.
    """
    sections = tuple(
        Section("", article_sentences) for article in articles if (article_sentences := sentences(article))
    )
    source = Source(name, name, "", sections)
    made = tuple(Reference(name, annotator, sentences(text)) for annotator, text in references.items())
    stand_in = Document(
        id=name, text=" ".join(sentence for reference in made for sentence in reference.sentences)
    )
    return Topic(
        id=name,
        source=source,
        references=made,
        documents=[as_document(source) if sections else stand_in],
        candidates=tuple(Candidate(name, system, sentences(text)) for system, text in summaries.items()),
    )
