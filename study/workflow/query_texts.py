"""The texts of a benchmark's summaries by the names of their queries."""

from __future__ import annotations

from collections.abc import Iterable

from sera.errors import InputError
from sera.io.records import HUMAN, Candidate, Reference
from sera.retrieval.queries import query_id


def collect_texts(
    candidates: Iterable[Candidate], references: Iterable[Reference]
) -> dict[str, tuple[str, ...]]:
    """The sentences of each summary by the name of its query; a gold summary may also be a candidate.

    Raises InputError if the candidate ``human_A`` and annotator A's gold summary are different texts, since
    both have the same query name.
    """
    texts = {query_id(candidate): candidate.sentences for candidate in candidates}
    for reference in references:
        name = query_id(reference)
        if texts.setdefault(name, reference.sentences) != reference.sentences:
            raise InputError(
                f"the system {HUMAN + reference.annotator!r} has another summary of topic "
                f"{reference.topic!r} than the annotator {reference.annotator!r}",
                remedy=f"Rename the system: {HUMAN}A names annotator A's own summary.",
            )
    return texts
