"""A guided summarizer by its name or from its folder, what all of them can do, and summaries by one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from sera.errors import InputError
from sera.io.records import Candidate, Source
from sera.progress import progress
from sera_guided import GUIDED
from sera_guided.examples import Example
from sera_guided.extras import import_needed
from sera_guided.settings import GuidedSettings


class System(Protocol):
    """A summarizer that is trained: a torch module and all that it needs to read articles."""

    name: str
    model: Any
    settings: GuidedSettings

    def loss(self, model: Any, examples: Sequence[Example]) -> Any:
        """The loss of a batch, a tensor; ``model`` is its module, or what accelerate made of it."""

    def summaries(self, examples: Sequence[Example]) -> list[list[str]]:
        """The summary of each article, as sentences."""

    def save(self, folder: Path) -> None:
        """Write the system into a folder that exists."""


def begin(name: str, settings: GuidedSettings, examples: Sequence[Example]) -> System:
    """The system before training.

    InputError for an unknown name, a model that cannot be read, and without the extra ``guided``.
    """
    return _kind(name).begin(name, settings, examples)


def load(folder: str | Path) -> System:
    """The trained system in a folder; InputError if it holds none, and without the extra ``guided``."""
    held = import_needed("sera_guided.weights", "a guided summarizer").read_system(Path(folder))
    settings = GuidedSettings.from_mapping(held["settings"])
    return _kind(held["system"]).load(held["system"], Path(folder), settings, held)


def _kind(name: str) -> Any:
    if "sentences" in GUIDED.needs(name):  # refuses an unknown name
        return import_needed("sera_guided.presumm", name).Extractive
    return import_needed("sera_guided.abstractive", name).Abstractive


def generate(system: System, sources: Sequence[Source], *, name: str | None = None) -> list[Candidate]:
    """A summary of each article, in their order; ``name`` replaces the system's own.

    The same on the same machine each time. If a model writes nothing, the summary is one empty sentence.
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
