"""Read a user's own summaries, to score them together with those of the summarizers.

They are a JSONL file of candidates (``topic``, ``system``, ``sentences``; ``.gz`` too), or a folder with a
text file ``<topic>.txt`` for each topic, one sentence a line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from sera import names
from sera.errors import InputError
from sera.io.files import lines
from sera.io.records import Candidate, each_line
from sera.registry import unknown


def read_candidates(path: str | PathLike[str], system: str, topics: Collection[str]) -> list[Candidate]:
    """The summaries of one system, one for each of ``topics`` in their order.

    ``path``: a file or folder as above; ``system`` replaces the system's name in the file. InputError, with
    file and line, for an unknown topic, a second or an empty summary, and topics without one.
    """
    if Path(path).is_dir():
        for topic in topics:
            names.check_file_name("topic", topic, path=path)
    candidates: dict[str, Candidate] = {}
    for file, line, topic, sentences in _texts(Path(path)):
        where: dict[str, Any] = {"path": file, "line": line}
        if topic not in topics:
            raise InputError(f"{unknown('topic', topic, topics)}", **where)
        if topic in candidates:
            remedy = "Give each system its own file or folder."
            raise InputError(f"topic {topic!r} has a second summary", remedy=remedy, **where)
        if not any(map(str.strip, sentences)):
            problem = f"the summary of topic {topic!r} is empty"
            raise InputError(problem, remedy="Give it a sentence.", **where)
        candidates[topic] = Candidate(topic, system, sentences)
    if gaps := [topic for topic in topics if topic not in candidates]:
        problem = f"has no summary of topic {', '.join(gaps)}"
        raise InputError(problem, path=path, remedy="Add a summary of each.")
    return [candidates[topic] for topic in topics]


def candidate_files(path: str | PathLike[str]) -> list[str]:
    """The paths of the files that `read_candidates` reads, sorted."""
    path = Path(path)
    return sorted(map(str, path.glob("*.txt"))) if path.is_dir() else [str(path)]


def _texts(path: Path) -> Iterator[tuple[str, int | None, str, tuple[str, ...]]]:
    """File, line, topic and sentences of each summary; the line is None for a text file."""
    if not path.is_dir():
        for line, candidate in each_line(path, Candidate):
            if isinstance(candidate, InputError):
                raise candidate
            yield str(path), line, candidate.topic, candidate.sentences
        return
    for file in candidate_files(path):
        topic = names.check("topic", Path(file).stem, path=file)
        yield file, None, topic, tuple(text for _, line in lines(file) if (text := line.strip()))
