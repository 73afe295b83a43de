"""Read and write rankings as TREC run files: ``query Q0 docid rank score tag`` with blanks between.

Beside a run, a JSON file says with which settings it was made: ``plain.trec.json`` beside ``plain.trec``.
"""

import contextlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from sera.errors import InputError
from sera.io.files import is_stream, lines, read_json, writing
from sera.names import check
from sera.retrieval.engines import Hit

_SETTINGS = {"analyzer", "mu", "documents"}  # those that every search has


def write_run(
    path: str | PathLike[str],
    rankings: Iterable[tuple[str, Sequence[Hit]]],
    *,
    tag: str,
    settings: Mapping[str, Any] | None = None,
) -> None:
    """Write the ranking of each query, with ranks from 1 and scores of nine significant digits (a float32's).

    ``settings`` of the search are written beside the run, to its `settings_file`. In names, a blank is
    written ``%20``, and ``%`` is written ``%25`` where it could be misread.
    """
    beside = None if settings is None else settings_file(path)
    with contextlib.ExitStack() as both:  # they take their names together, so that no run has older settings
        stream = both.enter_context(writing(path))
        if beside:
            both.enter_context(writing(beside)).write(json.dumps(settings, indent=1) + "\n")
        for query, hits in rankings:
            name = _pack(check("query", query))
            for rank, hit in enumerate(hits, 1):
                document = _pack(check("document", hit.document))
                stream.write(f"{name} Q0 {document} {rank} {hit.score:.9g} {tag}\n")


def read_run_settings(path: str | PathLike[str]) -> dict[str, Any]:
    """The settings of the search that made a run."""
    settings: dict[str, Any] = read_json(_name_settings(path), "the settings of a run")
    return settings


def settings_file(path: str | PathLike[str]) -> Path | None:
    """The file to write for the settings of a run; None for a run that goes to a pipe or standard output.

    Raises InputError if something else has this name: a file without the settings of a search, or a folder.
    """
    if is_stream(Path(path)):
        return None
    beside = _name_settings(path)
    if beside.exists():
        found = None
        with contextlib.suppress(InputError):
            found = read_json(beside)
        if not isinstance(found, dict) or not _SETTINGS <= found.keys():
            problem = "is something else, and the settings of the run would be written there"
            raise InputError(problem, path=beside, remedy="Move it away, or name another run.")
    return beside


def _name_settings(path: str | PathLike[str]) -> Path:
    return Path(f"{os.fspath(path)}.json")


def read_run(path: str | PathLike[str]) -> dict[str, list[str]]:
    """The document ids of each query in the order of their ranks.

    Raises InputError with file and line for a line of another form, and a document or rank that a query has
    twice.
    """
    rankings: dict[str, dict[int, str]] = {}
    pairs: set[tuple[str, str]] = set()
    for number, line in lines(path, "a TREC run"):
        try:
            query, _, document, place, score, _ = line.split()
            rank, _ = int(place), float(score)
        except ValueError:
            remedy = "Give it the fields query Q0 docid rank score tag."
            raise InputError("is not a line of a run", path=path, line=number, remedy=remedy) from None
        query = check("query", _unpack(query), path=path, line=number)
        document = check("document", _unpack(document), path=path, line=number)
        ranking = rankings.setdefault(query, {})
        if rank in ranking or (query, document) in pairs:
            problem = f"query {query} has document {document} or rank {rank} twice"
            raise InputError(problem, path=path, line=number, remedy="Remove one of the two.")
        ranking[rank] = document
        pairs.add((query, document))
    return {query: [ranking[rank] for rank in sorted(ranking)] for query, ranking in rankings.items()}


def read_first_zero(path: str | PathLike[str]) -> int | None:
    """The first rank in a run (`read_run`) at which a document has the score 0; None if none has."""
    fields = (line.split() for _, line in lines(path, "a TREC run"))
    return min((int(rank) for _, _, _, rank, score, _ in fields if float(score) == 0), default=None)


def _pack(name: str) -> str:
    return re.sub("%(?=20|25)", "%25", name).replace(" ", "%20")


def _unpack(name: str) -> str:
    return re.sub("%(20|25)", lambda match: " " if match[1] == "20" else "%", name)
