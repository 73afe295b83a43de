"""The console of `make`: finished steps, and the logs of failed ones.

Snakemake finds a logger plug-in by the name of its package: `PYTHONPATH=plugins` and `--logger steps`.
"""

import logging
import sys
import time
from pathlib import Path
from typing import Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent


class LogHandler(LogHandlerBase):
    """Snakemake's messages, shortened; `.snakemake/log/` keeps all of them."""

    writes_to_stream = True
    writes_to_file = has_filter = has_formatter = needs_rulegraph = False

    def __post_init__(self) -> None:
        self._steps: dict[int, str] = {}  # what the jobs at work do
        self._ended: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        try:
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

    def _say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)
