"""The plug-in of systems that are trained, if it is installed: their names, modules and settings.

It is a module with the registry ``GUIDED``, ``modules_of``, ``check_settings`` and ``best_layer``.
"""

from __future__ import annotations

from functools import cache
from importlib import metadata
from typing import Any


@cache
def plug_in() -> Any | None:
    """The module of the plug-in; None if it is not installed."""
    found = next(iter(metadata.entry_points(group="sera.trained")), None)
    return found.load() if found else None


def trained_names() -> list[str]:
    """The names of the systems that can be trained."""
    found = plug_in()
    return list(found.GUIDED) if found else []
