"""The record of a run in its results: what changed since the run before, and why each step ran."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from snakemake.common import NOTHING_TO_BE_DONE_MSG
from snakemake.logging import get_event, logger
from snakemake_interface_logger_plugins.common import LogEvent

from rules.changes import Basis, Changes, basis_of
from rules.console import Console, OnEach
from rules.contents import Contents
from rules.reasons import Reasons
from sera.errors import InputError
from sera.reporting.last_run import LastRun, RunStep, read_last_run


class Watch:
    """Keeps why each step of a run starts, and writes the record when the run is complete.

    A run of chosen targets and a dry run write none: the record is about the whole study.
    """

    def __init__(self, workflow: Any, folder: str, settings: Any, contents: Contents) -> None:
        self._workflow, self._folder = workflow, folder
        self._settings, self._contents = settings, contents
        self._steps: list[RunStep] = []
        try:
            self._before = read_last_run(folder)
        except InputError:  # it only serves to name causes, and the end of the run writes it again
            self._before = None
        self.reasons = Reasons(workflow, self.changes)

    def changes(self) -> Changes:
        """What changed since the last complete run; nothing is known without one."""
        now = basis_of(self._settings, self._contents)
        return Changes(Basis(**self._before.basis) if self._before else now, now, self._contents)

    def see(self, record: Any) -> None:
        """Take note of a record of Snakemake's log."""
        if get_event(record) == LogEvent.JOB_INFO and record.output:
            reason = self.reasons.of(record.jobid)
            self._steps.append(RunStep(record.rule_name, reason.causes, reason.after))
        elif record.msg == NOTHING_TO_BE_DONE_MSG:
            self.end()

    def end(self) -> None:
        """Write the record of a complete run."""
        if self._workflow.dryrun or self._workflow.dag_settings.targets:
            return
        LastRun(
            ended=time.strftime("%Y-%m-%d %H:%M"),
            before=self._before.ended if self._before else None,
            changed=self.changes().phrases() if self._before else [],
            steps=self._steps,
            basis=asdict(basis_of(self._settings, self._contents)),
        ).write(self._folder)


def watch(workflow: Any, console: Console | None, folder: str, settings: Any, contents: Contents) -> Watch:
    """Watch the steps of a run, and give their reasons to its console."""
    found = Watch(workflow, folder, settings, contents)
    if workflow.is_main_process:
        logger.addHandler(OnEach(found.see))
    if console:
        console.reasons = found.reasons
    return found
