"""What earlier runs worked out, kept in a file so that it is not worked out again."""

from __future__ import annotations

import atexit
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sera.errors import InputError
from sera.io.files import writing


class Memory:
    """Values by name, each with a mark; a value holds as long as its mark is the same.

    Values and marks are plain data. The file is read at the first use, and written when the process ends.
    One that is missing, damaged or cannot be written costs only time.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, list[Any]] | None = None
        self._new = False

    def value(
        self, name: str, mark: list[int], make: Callable[[], Any], last: Callable[[], bool] = lambda: True
    ) -> Any:
        """The remembered value, or else that of ``make``, which is kept if ``last`` then returns True."""
        if self._known is None:
            self._known = self._read()
        known = self._known.get(name)
        if known and known[0] == mark:
            return known[1]
        value = make()
        if last():
            self._known[name] = [mark, value]
            self._new = True
        return value

    def keep_at_exit(self) -> None:
        atexit.register(self.keep)

    def keep(self) -> None:
        """Write the values, if there are new ones and the folder of the file exists."""
        if self._new and self._path.parent.is_dir():
            try:
                with writing(self._path) as stream:
                    json.dump(self._known, stream, sort_keys=True)
            except (InputError, OSError):
                pass

    def _read(self) -> dict[str, list[Any]]:
        try:
            known = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}
