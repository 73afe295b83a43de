"""Fixtures that several tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data and oracles; the test is skipped where it is absent."""
    folder = Path(os.environ.get("SERA_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip(f"the real data and oracles are not at {folder} (name their folder in SERA_SHARED)")
    return folder
