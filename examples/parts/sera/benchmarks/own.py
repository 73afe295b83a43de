"""Your topics: a folder with sources, references, citances and nuggets as in `sera.io.records`."""

from __future__ import annotations

from pathlib import Path

from sera.benchmarks import Topic
from sera.errors import InputError
from sera.io import records

JUDGED = False  # our systems summarise its articles, and its nuggets judge them

_KINDS = {
    "references": records.Reference,
    "citances": records.Citance,
    "nuggets": records.Nugget,
}


def inputs(release: str | Path) -> list[Path]:
    """The four files. Raises InputError that names those that are missing."""
    paths = [Path(release, f"{kind}.jsonl") for kind in ("sources", *_KINDS)]
    if missing := [path.name for path in paths if not path.is_file()]:
        raise InputError(
            f"lacks {', '.join(missing)}", path=release, remedy="Put them there, empty if need be."
        )
    return paths


def read(release: str | Path) -> list[Topic]:
    """The topics in the order of the sources, whose texts are clean already."""
    sources, *paths = inputs(release)
    parts: dict[str, list] = {kind: records.read(path, _KINDS[kind]) for kind, path in zip(_KINDS, paths)}
    return [
        Topic(
            id=source.topic,
            source=source,
            **{kind: tuple(one for one in part if one.topic == source.topic) for kind, part in parts.items()},
        )
        for source in records.read(sources, records.Source)
    ]
