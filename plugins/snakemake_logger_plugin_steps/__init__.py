"""The console of `make`: finished steps, the logs of failed ones, and that it was interrupted.

Snakemake finds a logger plug-in by the name of its package: `PYTHONPATH=plugins` and `--logger steps`.
"""

import contextlib
import logging
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

import psutil
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

_SECONDS = 2
"""How long jobs may take to end by themselves, as those that a terminal has interrupted do."""


class LogHandler(LogHandlerBase):
    """Snakemake's messages, shortened; `.snakemake/log/` keeps all of them."""

    writes_to_stream = True
    writes_to_file = has_filter = has_formatter = needs_rulegraph = False

    def __post_init__(self) -> None:
        self._steps: dict[int, str] = {}  # what the jobs at work do
        self._ended: list[str] = []
        self._interrupted = False
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._interrupt)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            if not self._interrupted:
                self._emit(record)
        except Exception:
            self.handleError(record)

    def _emit(self, record: Any) -> None:
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            self._say(f"{record.stats['total']} steps to run")
        elif event == LogEvent.JOB_INFO:
            self._steps[record.jobid] = record.rule_msg or " ".join(
                [record.rule_name, *record.wildcards.values()]
            )
        elif event == LogEvent.JOB_FINISHED:
            self._ended.append(self._steps.pop(record.job_id))
        elif event == LogEvent.PROGRESS:
            clock = time.strftime("%H:%M:%S", time.localtime(record.created))
            for step in self._ended:
                self._say(f"{clock}  {record.done:>{len(str(record.total))}} of {record.total} done  {step}")
            self._ended.clear()
        elif event == LogEvent.JOB_ERROR:
            logs = [Path(log) for log in record.log]
            shown = [f"{log}:\n{log.read_text(errors='replace')}" for log in logs if log.exists()]
            self._say("\n".join([f"Error in rule {record.rule_name}:", *shown]))
        elif str(record.msg).startswith("Nothing to be done"):
            self._say("Nothing to be done: all results are up to date.")
        elif record.levelno > logging.INFO:
            self._say(self.format(record))

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Stop the jobs too: a signal to this process alone does not reach them."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._interrupted = True
        self._say("Interrupted: the steps at work are stopped. The same command continues the run.")
        _, left = psutil.wait_procs(psutil.Process().children(recursive=True), timeout=_SECONDS)
        for job in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                job.terminate()
        raise KeyboardInterrupt

    def _say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)
