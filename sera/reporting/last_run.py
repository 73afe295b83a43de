"""The record of a study's last complete run: what had changed, which steps ran, and why.

The workflow writes it beside the results, and `sera study show` prints it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from sera.errors import InputError
from sera.files import read_json, writing

LAST_RUN = ".last_run.json"
"""The name of the record, in the folder of the study's results."""

_MOST = 4  # causes with a line of their own
_MOST_NAMES = 5


@dataclass(frozen=True)
class RunStep:
    """A step that ran: its rule, the phrases of what changed for it, and the rules that made its inputs anew.

    A step without both ran for the first time.
    """

    rule: str
    causes: Sequence[str] = ()
    after: Sequence[str] = ()


@dataclass(frozen=True)
class LastRun:
    """A complete run.

    ``ended``: day and minute, as ``2026-11-22 16:40``; ``before``: those of the complete run before it, None
    if there is none; ``changed``: phrases of what changed between the two; ``steps``: those that ran;
    ``basis``: what the run depended on, to compare the next run with.
    """

    ended: str
    before: str | None
    changed: Sequence[str]
    steps: Sequence[RunStep]
    basis: dict[str, Any] = field(default_factory=dict)

    def write(self, folder: str | PathLike[str]) -> None:
        """Write the record into the folder of the results."""
        with writing(Path(folder, LAST_RUN)) as stream:
            json.dump(asdict(self), stream, ensure_ascii=False, indent=1)
            stream.write("\n")


def read_last_run(folder: str | PathLike[str]) -> LastRun | None:
    """The record in a folder of results; None if there is none, InputError if it is damaged."""
    path = Path(folder, LAST_RUN)
    if not path.exists():
        return None
    try:
        record = read_json(path)
        steps = [RunStep(**step) for step in record["steps"]]
        return LastRun(**(record | {"steps": steps}))
    except (InputError, AttributeError, KeyError, TypeError):
        raise InputError(
            "is no record of a run", path=path, remedy="Delete it; the next run writes it again."
        ) from None


def last_run_lines(run: LastRun) -> Iterator[str]:
    """When the last run ended, what had changed since the one before, and why which steps ran."""
    yield f"Last run: {run.ended}, {_steps(len(run.steps)) if run.steps else 'no step'} ran"
    if run.before is None:
        yield "Changed since the run before: there was no complete run before"
        return
    changed = _few([_of_one_line(phrase) for phrase in run.changed]) or "no setting, code or input"
    yield f"Changed since the run of {run.before}: {changed}"
    groups: dict[str, list[str]] = {}
    for step in run.steps:
        groups.setdefault(_cause(step), []).append(step.rule)
    by_size = sorted(groups.items(), key=lambda group: -len(group[1]))
    for cause, rules in by_size[:_MOST]:
        yield f"  {_steps(len(rules))}: {cause} ({_few(sorted(set(rules)))})"
    if rest := sum(len(rules) for _, rules in by_size[_MOST:]):
        yield f"  {_steps(rest)}: {len(by_size) - _MOST} other reasons"


def _cause(step: RunStep) -> str:
    if step.causes:
        return _of_one_line("; ".join(step.causes))
    return "inputs made again" if step.after else "run for the first time"


def _steps(count: int) -> str:
    return f"{count} step" if count == 1 else f"{count} steps"


def _of_one_line(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}..."


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
