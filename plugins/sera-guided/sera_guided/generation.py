"""Summaries by a trained system."""

from __future__ import annotations

from collections.abc import Sequence

from sera.errors import InputError
from sera.io.records import Candidate, Source
from sera.progress import progress
from sera_guided.examples import Example
from sera_guided.systems import System


def generate(system: System, sources: Sequence[Source], *, name: str | None = None) -> list[Candidate]:
    """A summary of each article, in their order; ``name`` stands in place of the system's own.

    The same on the same machine each time. A model that writes nothing gives a summary of one empty sentence.
    InputError for an article without a sentence.
    """
    for source in sources:
        if not source.sentences:
            raise InputError(
                f"the source {source.id!r} of topic {source.topic!r} has no sentences",
                remedy="Check how its article was read and cleaned.",
            )
    import torch

    system.model.to("cuda" if torch.cuda.is_available() else "cpu")
    size = system.settings.batch
    batches = [sources[start : start + size] for start in range(0, len(sources), size)]
    found = []
    for batch in progress(batches, "batches written"):
        examples = [Example(source.topic, source.sentences) for source in batch]
        for source, written in zip(batch, system.summaries(examples), strict=True):
            found.append(Candidate(source.topic, name or system.name, tuple(written) or ("",)))
    return found
