"""Rankings as TREC run files: ``query Q0 docid rank score tag``, blanks between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike

from sera.engines import Hit
from sera.errors import InputError
from sera.files import reading, writing


def write_run(path: str | PathLike[str], rankings: Iterable[tuple[str, Sequence[Hit]]], *, tag: str) -> None:
    """Write one ranking a query, ranks from 1, scores to nine significant digits (those of a float32)."""
    with writing(path) as stream:
        for query, hits in rankings:
            if not query or any(character.isspace() for character in query):
                raise InputError(f"query {query!r}: a run's query names are not empty and have no blanks")
            for rank, hit in enumerate(hits, 1):
                stream.write(f"{query} Q0 {hit.document} {rank} {hit.score:.9g} {tag}\n")


def read_run(path: str | PathLike[str]) -> dict[str, list[str]]:
    """Each query's documents in the order of their ranks.

    Raises InputError with file and line for a line of another shape, and for a document or a rank that
    a query has twice.
    """
    ranked: dict[str, dict[int, str]] = {}
    seen: set[tuple[str, str]] = set()
    try:
        with reading(path) as lines:
            for number, line in enumerate(lines, 1):
                fields = line.split()
                if len(fields) != 6 or not fields[3].isdigit():
                    raise InputError(
                        "is no line of a run",
                        path=path,
                        line=number,
                        remedy="It has: query Q0 docid rank score tag.",
                    )
                query, _, document, rank = fields[:4]
                ranking = ranked.setdefault(query, {})
                if int(rank) in ranking or (query, document) in seen:
                    raise InputError(
                        f"query {query} has document {document} or rank {rank} twice", path=path, line=number
                    )
                ranking[int(rank)] = document
                seen.add((query, document))
    except FileNotFoundError:
        raise InputError("there is no such file; expected a TREC run", path=path) from None
    return {query: [ranking[rank] for rank in sorted(ranking)] for query, ranking in ranked.items()}
