"""From which folder results were made: only there Snakemake knows of what, and so what is out of date."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from sera.errors import InputError
from sera.files import writing
from sera.reporting.made import FOLDER

_HERE = Path(".snakemake", "sera")


def check_known(out: str) -> None:
    """Raise InputError for results that were made from another folder, or whose `.snakemake` is gone.

    Snakemake would take them for up to date, whatever the settings are.
    """
    token = _token(out)
    if token and not (_HERE / token).exists():
        raise InputError(
            "these results were made from another folder, or its .snakemake was deleted, "
            "so nobody knows here of which settings they are",
            path=out,
            remedy="Run in the folder that made them, name another folder (results), or delete them.",
        )


def mark(out: str) -> None:
    """Note on both sides that results are made from here."""
    token = _token(out)
    known = token or secrets.token_hex(16)
    with writing(_HERE / known) as stream:  # first, since a run that is killed in between is known here too
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
