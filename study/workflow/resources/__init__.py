"""What metrics need besides texts: a module for each resource reads it from the inputs of a job.

The modules are loaded by name, so that a change of one reruns only the jobs of the families that need it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from sera.metrics.configure import Resources


def resource_module(resource: str) -> str:
    return f"study.workflow.resources.{resource}"


def read_resources(rule: Any, texts: Sequence[Any]) -> Resources:
    """The resources that ``rule.params.resources`` names; ``texts`` are all summaries."""
    return Resources(
        **{name: import_module(resource_module(name)).read(rule, texts) for name in rule.params.resources}
    )
