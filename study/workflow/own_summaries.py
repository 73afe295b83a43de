"""Read a user's own summaries, to score them together with those of the summarizers.

They are a JSONL file of candidates (``topic``, ``system``, ``sentences``; ``.gz`` too), or a folder with a
text file ``<topic>.txt`` for each topic, one sentence a line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from os import PathLike, listdir
from pathlib import Path

from sera import names
from sera.errors import InputError
from sera.io.files import lines, unreadable
from sera.io.records import Candidate, numbered
from sera.registry import unknown


def read_candidates(path: str | PathLike[str], system: str, topics: Collection[str]) -> list[Candidate]:
    """The summaries of one system, one for each of ``topics`` in their order.

    ``path``: a file or folder as above; ``system`` replaces the system's name in the file.

    Raises InputError, with file and line, for a topic that is not in ``topics``, a second summary of a topic
    and an empty summary; for topics without a summary; and, if ``path`` is a folder, for topics that cannot
    be names of files (`sera.names.check_files`).
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
                remedy="Give each system its own file or folder.",
            )
        if not any(map(str.strip, sentences)):
            raise InputError(
                f"the summary of topic {topic!r} is empty", path=file, line=line, remedy="Give it a sentence."
            )
        found[topic] = Candidate(topic, system, sentences)
    if missing := [topic for topic in topics if topic not in found]:
        raise InputError(
            f"has no summary of topic {', '.join(missing)}",
            path=path,
            remedy="Add a summary of each.",
        )
    return [found[topic] for topic in topics]


def candidate_files(path: str | PathLike[str]) -> list[str]:
    """The paths of the files that `read_candidates` reads, sorted.

    Raises InputError for a folder that cannot be read.
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
    """File, line, topic and sentences of each summary; the line is None for a text file."""
    if not path.is_dir():
        for line, candidate in numbered(path, Candidate):
            yield str(path), line, candidate.topic, candidate.sentences
        return
    for file in candidate_files(path):
        if not Path(file).is_file():  # reading a pipe could wait forever
            raise InputError("is not a file", path=file, remedy="Remove it from the folder.")
        topic = names.check("topic", Path(file).stem, path=file)
        sentences = tuple(text for text in (line.strip() for _, line in lines(file)) if text)
        yield file, None, topic, sentences
