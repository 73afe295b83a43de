"""The frames of a release of FrameNet."""

from collections.abc import Sequence
from typing import Any

from sera.metrics.frames import FrameNet


def read(rule: Any, texts: Sequence[Any]) -> FrameNet:
    return FrameNet(rule.params.resources["frames"]["framenet"])
