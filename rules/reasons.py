"""Why a step runs, in words: the setting, the code or the input that changed, as far as it is known.

Snakemake keeps the values of a step's parameters without their names, so a name is found by comparing the
values of now with those kept. Which module or input changed is known from the last complete run
(`rules.last_run`).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rules.changes import Changes, few

_LONGEST = 60  # characters of a value in a phrase
_CODE, _FILES = "code", "files"  # parameters that are hashes


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
        settings = [name for name in names if name not in (_CODE, _FILES)]
        if settings and len(changes.settings) == 1:  # what changed, by its whole name
            causes += changes.settings
        elif settings:
            old, new = list(change.only_old), list(change.only_new)
            before = old[0] if len(old) == len(new) == 1 else None
            causes += [_of_value(name, job.params[name], before) for name in settings]
        return causes or ["its parameters changed"]


def _of_value(name: str, now: Any, before: str | None) -> str:
    """A parameter and its values, where these are known and short; ``before`` is Python's text of one."""
    try:
        old = json.dumps(ast.literal_eval(before), ensure_ascii=False) if before is not None else None
        new = json.dumps(now, ensure_ascii=False)
    except (SyntaxError, TypeError, ValueError):
        return f"{name} changed"
    if old is None or len(old) > _LONGEST or len(new) > _LONGEST:
        return f"{name} changed"
    return f"{name} {new} ({old} before)"
