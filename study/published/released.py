"""The released scores of a study, without texts, in the form of `sera.benchmarks.released_scores`.

Beside them are, of those that the study has, the answers with more systems and of the multiverse: in
``more_systems/`` the scores, systems, answer and noise, in ``multiverse/`` every universe with its choices
and effects, its Table 2, and what claims and tests make of them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sera.io.files import opened, read_json, writing
from sera.io.scores import read_scores, write_scores
from study.settings.settings import DATA

JUDGEMENT = "Pyramid"

_COPIED = {
    "signatures.tsv": "signatures.tsv",
    "more_systems/scores.tsv": "more_systems/scores.tsv.gz",
    "more_systems/systems.tsv": "more_systems/systems.tsv",
    **{
        f"more_systems/{name}.tsv": f"more_systems/{name}.tsv"
        for name in ("answer", "reliability", "by_topics")
    },
    "multiverse/universes.tsv": "multiverse/universes.tsv.gz",
    "multiverse/tables.tsv.gz": "multiverse/tables.tsv.gz",
    "multiverse/claims.tsv": "multiverse/claims.tsv",
    "multiverse/null.tsv": "multiverse/null.tsv",
}
"""Results by their files, and those of the release."""


def release(results: Path, target: Path) -> Path:
    """Write a folder anew: a study's scores, and what is there of its multiverse and its more systems."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    record = read_json(results / "provenance.json")
    scores = read_scores(results / "scores.tsv")
    is_system = scores["system"].isin(record["settings"]["systems"])
    is_judgement = scores["metric"] == JUDGEMENT
    write_scores(target / "scores.tsv.gz", scores[is_system & ~is_judgement])
    write_scores(target / "baselines.tsv.gz", scores[~is_system])
    judgements = scores[is_system & is_judgement].rename(columns={"metric": "judgement"})
    write_scores(target / "judgements.tsv", judgements)
    for name, copy in _COPIED.items():
        if (results / name).exists():
            (target / copy).parent.mkdir(parents=True, exist_ok=True)
            with opened(results / name) as source, writing(target / copy, binary=True) as stream:
                shutil.copyfileobj(source, stream)
    with writing(target / "provenance.json") as stream:
        json.dump(_drop_places(record), stream, indent=1, ensure_ascii=False)
        stream.write("\n")
    return target


def _drop_places(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record of origin whose folders of data have the names of their settings."""
    settings = dict(record["settings"])
    folders = {name: str(settings[name]).rstrip("/") for name in DATA if settings.get(name)}
    inputs = []
    for each in record["inputs"]:
        for name, folder in folders.items():
            if each["file"].startswith(f"{folder}/"):
                each = {**each, "file": f"{name}/{each['file'].removeprefix(f'{folder}/')}"}
        inputs.append(each)
    return {**record, "settings": settings | {name: name for name in folders}, "inputs": inputs}
