"""Why a step runs, in words: the setting, the code or the input that changed, as far as it is known.

Snakemake keeps the values of a step's parameters without their names, so a name is found by comparing the
values of now with those kept. Which module or input changed is known from the last complete run
(`rules.last_run`).
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.changes import Changes, few
from sera.reporting.study_settings import changed

_LONGEST = 60  # characters of a value in a phrase
_CODE, _FILES = "code", "files"  # parameters that are hashes
_HASH = re.compile("[0-9a-f]{16,}")


@dataclass(frozen=True)
class Reason:
    """Why one step runs.

    ``causes``: what changed for this step itself; ``after``: the rules that ran before it in this run and
    made its inputs. Both are empty for a step that runs for the first time.
    """

    causes: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def phrase(self) -> str:
        """The reason as a phrase: ``mu 100 (2000 before)`` or ``after search``; empty for a first time."""
        return "; ".join(self.causes) or (f"after {few(self.after, 3)}" if self.after else "")


class Reasons:
    """The reasons of the steps of a run, by Snakemake's number of each."""

    def __init__(self, workflow: Any, changes: Callable[[], Changes]) -> None:
        self._workflow, self._changes = workflow, changes
        self._jobs: dict[int, Any] = {}

    def of(self, jobid: int) -> Reason:
        """The reason of a step."""
        dag = self._workflow.dag
        if jobid not in self._jobs:  # a checkpoint adds steps
            self._jobs = {dag.jobid(job): job for job in dag.jobs}
        job = self._jobs.get(jobid)
        return Reason() if job is None else self._of_job(job, dag.reason(job))

    def _of_job(self, job: Any, reason: Any) -> Reason:
        ran_before = self._workflow.persistence.has_metadata(job)
        causes: list[str] = []
        if reason.forced:
            asked = self._workflow.dag_settings
            by_command = asked.forceall or asked.forcetargets or asked.forcerun
            causes.append("forced" if by_command else "an earlier run was interrupted in it")
        if reason.missing_output and ran_before:
            causes.append(f"{few(map(str, sorted(reason.missing_output)), 2)} is missing")
        if reason.params_changed:
            causes += self._of_parameters(job, reason.params_changed)
        if reason.software_stack_changed:
            causes.append("the software environment changed")
        if reason.input_changed and not causes and not reason.updated_input_run:
            causes.append("the list of its inputs changed")
        updated = {str(path) for path in reason.updated_input - reason.updated_input_run}
        if updated and not causes:
            causes.append(f"{few(sorted(updated), 2)} is newer than its result")
        if not ran_before and not causes:
            return Reason()
        makers = {
            before.rule.name
            for before, files in job.dag.dependencies[job].items()
            if reason.updated_input_run & set(files)
        }
        return Reason(tuple(dict.fromkeys(causes)), tuple(sorted(makers)))

    def _of_parameters(self, job: Any, change: Any) -> list[str]:
        """The parameters that changed: settings with their values, modules and inputs by their names."""
        changes = self._changes()
        causes: list[str] = []
        names = [name for name, value in job.params.items() if repr(value) in change.only_new]
        if _CODE in names:
            causes.append(changes.of_code(job.params.code) or "its code changed")
        if _FILES in names:
            causes.append(changes.of_files(job.params.files) or "its input files changed")
        settings = {name: job.params[name] for name in names if name not in (_CODE, _FILES)}
        if settings and len(changes.settings) == 1:  # what changed, by its whole name
            causes += changes.settings
        elif settings:
            causes += of_values(settings, change.only_old, changes.settings)
        return list(dict.fromkeys(causes)) or ["its parameters changed"]


def of_values(now: Mapping[str, Any], before: Iterable[str], changed_settings: Sequence[str]) -> list[str]:
    """Phrases for the parameters of a step that changed, with both values of each where they are known.

    ``now`` has the parameters by name, ``before`` Python's texts of the former values, in no order, and
    ``changed_settings`` phrases such as ``rouge.stop false (true before)``. A parameter is a setting of its
    name, whole or without the group. Another has the only former value of its kind.
    """
    causes: list[str] = []
    left: dict[str, Any] = {}
    for name, value in now.items():
        own = [phrase for phrase in changed_settings if name in _names(phrase)]
        causes += own
        if not own:
            left[name] = value
    old = [json.loads(text) for text in map(_as_json, before) if text]
    for name, value in left.items():
        alike = [each for each in old if _kind(each) == _kind(value)]
        rivals = [each for each in left.values() if _kind(each) == _kind(value)]
        if len(old) == len(left) == 1:
            alike = old
        elif len(alike) != 1 or len(rivals) != 1:
            causes.append(f"{name} changed")
            continue
        phrases = [_phrase(name, value, alike[0])]
        if isinstance(value, dict) and isinstance(alike[0], dict):
            inner = changed(value, alike[0]).items()
            phrases = [_phrase(f"{name}.{key}", *values) for key, values in inner] or phrases
        causes += [_of_setting(phrase, changed_settings) for phrase in phrases]
    return causes


def _of_setting(phrase: str, changed_settings: Sequence[str]) -> str:
    """The phrase of the only setting that changed by the same values; the phrase itself if there is none."""
    same = [each for each in changed_settings if each.partition(" ")[2] == phrase.partition(" ")[2]]
    return same[0] if len(same) == 1 else phrase


def _names(phrase: str) -> list[str]:
    """The name of the setting in a phrase, that of its group, and its name in the group."""
    name = phrase.partition(" ")[0]
    return [name, name.partition(".")[0], name.rpartition(".")[2]]


def _as_json(text: str) -> str:
    """The value of Python's text as JSON; empty if JSON has none, and for a hash of code or of files."""
    try:
        value = ast.literal_eval(text)
        return "" if isinstance(value, str) and _HASH.fullmatch(value) else json.dumps(value)
    except (SyntaxError, TypeError, ValueError):
        return ""


def _kind(value: Any) -> tuple[str, ...]:
    """The kind of a value: number, text, list or other, or a group with its names."""
    if isinstance(value, dict):
        return ("group", *sorted(map(str, value)))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return ("number",)
    return (type(value).__name__,)


def _phrase(name: str, new: Any, old: Any) -> str:
    """A parameter with both values, where these are short."""
    try:
        texts = [json.dumps(value, ensure_ascii=False) for value in (new, old)]
    except (TypeError, ValueError):
        return f"{name} changed"
    if max(map(len, texts)) > _LONGEST:
        return f"{name} changed"
    return f"{name} {texts[0]} ({texts[1]} before)"
