"""Summaries of a user's own, to be scored beside those of the summarizers.

They are a JSONL file of candidates (``topic``, ``system``, ``sentences``; ``.gz`` too), or a folder with one
text file a topic, ``<topic>.txt``, a sentence a line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from os import PathLike, listdir
from pathlib import Path

from sera import names
from sera.errors import InputError
from sera.files import lines, unreadable
from sera.records import Candidate, numbered
from sera.registry import unknown


def read_candidates(path: str | PathLike[str], system: str, topics: Collection[str]) -> list[Candidate]:
    """The summaries of one system, in the order of ``topics``; ``system`` replaces the name in the file.

    Raises InputError for a folder if a topic cannot be the name of a file there (`sera.names.check_files`);
    with file and line for a topic that is not among ``topics``, for a second summary of
    a topic and for one without words, and with the file for topics that have no summary.
    """
    if Path(path).is_dir():
        names.check_files("topic", topics, path=path)
    found: dict[str, Candidate] = {}
    for file, line, topic, sentences in _texts(Path(path)):
        if topic not in topics:
            raise InputError(f"{unknown('topic', topic, topics)}", path=file, line=line)
        if topic in found:
            raise InputError(
                f"topic {topic!r} has a second summary",
                path=file,
                line=line,
                remedy="Each system has a file or folder of its own.",
            )
        if not any(map(str.strip, sentences)):
            raise InputError(f"the summary of topic {topic!r} is empty", path=file, line=line)
        found[topic] = Candidate(topic, system, sentences)
    if missing := [topic for topic in topics if topic not in found]:
        raise InputError(
            f"has no summary of topic {', '.join(missing)}",
            path=path,
            remedy="A system needs a summary of every topic.",
        )
    return [found[topic] for topic in topics]


def candidate_files(path: str | PathLike[str]) -> list[str]:
    """The files that `read_candidates` reads, as text, sorted.

    InputError for a folder that cannot be read.
    """
    path = Path(path)
    if not path.is_dir():
        return [str(path)]
    try:
        found = sorted(str(path / name) for name in listdir(path) if name.endswith(".txt"))
    except OSError as error:
        raise unreadable(path, error) from None
    return found


def _texts(path: Path) -> Iterator[tuple[str, int | None, str, tuple[str, ...]]]:
    """File, line, topic and sentences of each summary; a text file stands for all its lines."""
    if not path.is_dir():
        for line, candidate in numbered(path, Candidate):
            yield str(path), line, candidate.topic, candidate.sentences
        return
    for file in candidate_files(path):
        if not Path(file).is_file():  # a pipe would be waited for
            raise InputError("is no file", path=file, remedy="Take it out of the folder.")
        topic = names.check("topic", Path(file).stem, path=file)
        sentences = tuple(text for text in (line.strip() for _, line in lines(file)) if text)
        yield file, None, topic, sentences
