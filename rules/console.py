"""The console of a run: one line for each step that starts, with the reason if it ran before.

Snakemake's own console lists all inputs and outputs of a step and the values of all its parameters. Its log,
``.snakemake/log/``, still has everything, and ``--verbose``, ``--printshellcmds`` and ``--debug-dag`` bring
Snakemake's own console back.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from typing import Any

from snakemake.logging import ColorizingTextHandler, get_event, logger, show_logs
from snakemake_interface_logger_plugins.common import LogEvent

from rules.reasons import Reasons

_SNAKEMAKES_OWN = "DefaultStreamHandler"
"""The name of the handler that this console replaces."""

# What a run cannot change, or what the line of the step says already.
_DROPPED_EVENTS = (
    *(LogEvent.JOB_STARTED, LogEvent.JOB_FINISHED, LogEvent.GROUP_INFO, LogEvent.RESOURCES_INFO),
    *(LogEvent.RULEGRAPH, LogEvent.SHELLCMD),
)
_DROPPED_TEXTS = (
    *(
        "Config file config.yaml is extended",
        "Using shell:",
        "Conda environments: ignored",
        "Singularity containers: ignored",
    ),
    *("Group jobs: inactive", "Select jobs to execute...", "Updating checkpoint dependencies."),
    *("DAG of jobs will be updated", "Reasons:", "Rules with provenance triggered jobs:"),
    *("Some jobs were triggered by provenance information", "The run involves checkpoint jobs"),
    *("Shutting down, this might take some time.", "Assuming unrestricted shared filesystem usage."),
)
_ON_REQUEST = "Terminating processes on user request"
_INTERRUPTED_STEP = "died with <Signals.SIGINT"
# an error of the checks before any step, with the place in the code that raised it
_OF_THE_CHECKS = re.compile(
    r'WorkflowError in file "[^"\n]*", line \d+:\n([^\n]+(?:\n(?!  File )[^\n]+)*)(\n  File [^\n]*)*\s*'
)
# the command line of a script that failed; the exit by a signal is shown
_EXIT_STATUS = re.compile(
    r"RuleException:\nCalledProcessError in .*returned non-zero exit status \d+\.\s*", re.DOTALL
)


class Console(ColorizingTextHandler):
    """Snakemake's console with one line for each step; errors and warnings stay as they are.

    The error of a step has its log, and not the lists of its inputs and outputs.
    """

    reasons: Reasons | None = None  # known when the workflow has been read

    def __init__(self, own: ColorizingTextHandler, workflow: Any) -> None:
        super().__init__(own.nocolor, own.stream, formatter=own.formatter)
        for each in own.filters:
            self.addFilter(each)
        self._workflow, self._interrupted = workflow, False
        self._done, self._total, self._targets, self._has_stats = 0, 0, 0, False

    def emit(self, record: logging.LogRecord) -> None:
        with self._output_lock:
            try:
                if text := self._text(record):
                    self.stream.write(f"{self.decorate(record, text)}\n")
                    self.flush()
            except Exception:
                self.handleError(record)

    def _text(self, record: Any) -> str:
        """The lines of a record; empty if it is dropped."""
        event = get_event(record)
        if str(record.msg).startswith(_ON_REQUEST):
            self._interrupted = True
            return "Interrupted: the steps at work are stopped. The same command continues the run."
        if record.levelno > logging.INFO:
            return self._of_error(record)
        match event:
            case LogEvent.JOB_INFO:
                return self._of_step(record)
            case LogEvent.PROGRESS:
                return self._of_progress(record)
            case LogEvent.RUN_INFO:
                return self._of_stats(record)
        if event in _DROPPED_EVENTS or str(record.msg).startswith(_DROPPED_TEXTS):
            return ""
        return self.format(record)

    def _of_step(self, record: Any) -> str:
        if not record.output and not record.rule_msg:
            return ""  # a target, which only lists files
        reason = self.reasons.of(record.jobid).phrase() if self.reasons else ""
        step = f"{record.rule_msg or record.rule_name}{f': {reason}' if reason else ''}"
        if self._workflow.dryrun:
            return f"  {step}"
        return f"{_clock(record)}  {self._done:>{len(str(self._total))}} of {self._total} done  {step}"

    def _of_progress(self, record: Any) -> str:
        self._total = record.total - self._targets
        before, self._done = self._done, min(record.done, self._total)
        # on a cluster many steps start together, so their ends are said too
        if self._done == before or (self._workflow.local_exec and self._done < self._total):
            return ""
        return f"{_clock(record)}  {self._done} of {self._total} done"

    def _of_stats(self, record: Any) -> str:
        if self._workflow.dryrun:  # Snakemake gives them before and after the steps
            first, self._has_stats = not self._has_stats, True
            return self.format(record) if first else ""
        if stats := getattr(record, "stats", None):
            self._targets = sum(not job.output for job in self._workflow.dag.needrun_jobs())
            self._total = stats["total"] - self._targets
            return f"{self._total} steps to run"
        return self.format(record)

    def _of_error(self, record: Any) -> str:
        """An error or a warning as it is, except that of a step: its name and its logs.

        The steps that an interrupt stopped are no errors.
        """
        if self._interrupted and (get_event(record) or _INTERRUPTED_STEP in str(record.msg)):
            return ""
        if get_event(record) != LogEvent.JOB_ERROR:
            text = str(record.msg)
            if found := _OF_THE_CHECKS.fullmatch(text):
                faults = found[1].split("\n")
                return f"Error: {faults[0]}" if len(faults) == 1 else "\n  ".join(["Errors:", *faults])
            return "" if _EXIT_STATUS.fullmatch(text) else self.format(record)  # the step's error follows
        facts = [f"    {name}: {value}" for name, value in record.aux.items()]
        logs = show_logs(record.log) if self._workflow.output_settings.show_failed_logs else record.log
        return "\n".join([f"{_clock(record)}  Error in rule {record.rule_name}:", *facts, *logs])


class OnEach(logging.Handler):
    """Calls a function with each record, whatever the console shows."""

    def __init__(self, call: Callable[[logging.LogRecord], None]) -> None:
        super().__init__()
        self._call = call

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._call(record)
        except Exception:
            self.handleError(record)


def set_console(workflow: Any) -> Console | None:
    """Replace Snakemake's console in the process of a run; None where its own stays."""
    output = workflow.output_settings
    if not workflow.is_main_process or output.verbose or output.printshellcmds or output.debug_dag:
        return None
    for own in list(logger.handlers):
        if own.name == _SNAKEMAKES_OWN:
            console = Console(own, workflow)
            logger.removeHandler(own)
            logger.addHandler(console)
            return console
    return None


def _clock(record: logging.LogRecord) -> str:
    return time.strftime("%H:%M:%S", time.localtime(record.created))
