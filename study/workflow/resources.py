"""What metrics need besides texts, from the files of a job."""

from collections.abc import Sequence
from typing import Any

from sera.io.language_models import Answers
from sera.metrics.configure import Resources, openers


def open_resources(rule: Any, texts: Sequence[Any]) -> Resources:
    """The resources of a job's inputs and of its parameter ``files``; without vectors that have no word."""
    files = {**dict(rule.input.items()), **rule.params.files}
    resources = Resources(answers=Answers, **openers(files, texts))
    vectors = resources.get("vectors")
    return resources if vectors is None or vectors.words else resources.plus(vectors=None)
