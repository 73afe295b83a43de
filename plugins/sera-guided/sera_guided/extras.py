"""What of the plug-in's requirements is missing: its summarizers can be listed and planned without torch."""

from __future__ import annotations

import importlib
from types import ModuleType

from sera.errors import InputError
from sera.extras import extra_for

PACKAGES = ("accelerate", "safetensors", "tokenizers", "torch", "transformers")


def import_needed(module: str, what: str) -> ModuleType:
    """A module that needs these packages, imported; InputError for ``what`` without them."""
    try:
        with extra_for(what):
            return importlib.import_module(module)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in PACKAGES:
            raise
        raise InputError(
            f"{what} needs {package}", remedy="Install sera-guided with all that it requires: make guided"
        ) from None
