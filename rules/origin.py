"""The folder from which results were made: only there does Snakemake know what is out of date."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from sera.errors import InputError
from sera.files import writing
from sera.reporting.made import FOLDER

_HERE = Path(".snakemake", "sera")


def check_known(out: str) -> None:
    """Raise InputError for results that were made from another folder, or whose `.snakemake` was deleted.

    Snakemake would consider them up to date, whatever the settings are.
    """
    token = _token(out)
    if token and not (_HERE / token).exists():
        raise InputError(
            "these results were made from another folder, or its .snakemake was deleted, "
            "so their settings are unknown here",
            path=out,
            remedy="Run in the folder that made them, name another folder with the setting `results`, "
            "or delete them.",
        )


def mark(out: str) -> None:
    """Record, in the results and in this folder, that the results are made from here."""
    token = _token(out)
    known = token or secrets.token_hex(16)
    with writing(_HERE / known) as stream:  # first, so that a run killed between the two steps is known here
        stream.write(f"{Path(out).resolve()}\n")
    if not token:
        with writing(Path(out, FOLDER, "origin")) as stream:
            stream.write(known + "\n")


def _token(out: str) -> str | None:
    try:
        text = Path(out, FOLDER, "origin").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
    return text if re.fullmatch("[0-9a-f]{32}", text) else None
