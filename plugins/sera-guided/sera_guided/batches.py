"""Rows of different lengths as one tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch


def pad(rows: Sequence[Sequence[Any]], padding: Any) -> torch.Tensor:
    """The rows, filled up to the length of the longest; float32 if ``padding`` is a float, else int64."""
    longest = max(1, *map(len, rows)) if rows else 1
    kind = torch.float32 if isinstance(padding, float) else torch.int64
    return torch.tensor([[*row, *[padding] * (longest - len(row))] for row in rows], dtype=kind)


def mask_of(rows: Sequence[Sequence[Any]]) -> torch.Tensor:
    """1 for each item of the rows, 0 for the padding of `pad`."""
    return pad([[1] * len(row) for row in rows], 0)
