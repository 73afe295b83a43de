"""Progress of a long step: a bar on a terminal, or one line a minute in a log."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from types import TracebackType
from typing import Any, TypeVar

_log = logging.getLogger(__name__)

_Item = TypeVar("_Item")

LINES = 60.0  # seconds from one line to the next
BAR = 2.0  # seconds until the bar appears: a shorter step needs none


class Progress:
    """A context that reports the progress of a step: call `advance` for finished items.

    ``what``: the items and what is done to them, as in "queries formulated"; ``total``: the number of items,
    if it is known. If standard error is a terminal, a bar appears after two seconds. Otherwise a line of
    level INFO is logged at most once a minute.
    """

    def __init__(
        self, what: str, total: int | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._what, self._total, self._done, self._clock = what, total, 0, clock
        self._reported = clock()
        self._bar: Any = None
        if sys.stderr is not None and sys.stderr.isatty():
            from tqdm import tqdm  # slow to import

            self._bar = tqdm(desc=what, total=total, unit="", unit_scale=True, delay=BAR)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def advance(self, count: int = 1, told: str = "") -> None:
        """Report that ``count`` more items are finished; ``told`` is what else to tell of all so far."""
        self._done += count
        if self._bar is not None:
            self._bar.set_postfix_str(told, refresh=False)
            self._bar.update(count)
        elif (now := self._clock()) - self._reported >= LINES:
            self._reported = now
            total = f" of {self._total:,}" if self._total else ""
            _log.info("%s: %s%s%s", self._what, f"{self._done:,}", total, told and f", {told}")


def progress(
    items: Iterable[_Item], what: str, *, clock: Callable[[], float] = time.monotonic
) -> Iterator[_Item]:
    """The items, one by one, with a `Progress` that counts them."""
    with Progress(what, len(items) if isinstance(items, Sized) else None, clock=clock) as report:
        for item in items:
            yield item
            report.advance()
