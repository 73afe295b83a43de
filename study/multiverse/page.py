"""Pages in Markdown from templates."""

from __future__ import annotations

from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import jinja2
import numpy as np

from sera.evaluation.tables import markdown
from sera.reporting.page import number
from study.multiverse.choices import readable_name

_ANSWER = Path(__file__).parents[1] / "report"  # the folder of answer.j2


def fill_template(template: str | PathLike[str], **content: Any) -> str:
    """A text in Markdown from a template."""
    return environment(Path(template).parent).get_template(Path(template).name).render(content)


def environment(*folders: Path) -> jinja2.Environment:
    """The environment of templates in Markdown: those of the folders, and ``answer.j2``."""
    loader, policy = jinja2.FileSystemLoader([*folders, _ANSWER]), jinja2.StrictUndefined
    made = jinja2.Environment(loader=loader, undefined=policy, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {"percent": percent, "number": number, "words": readable_name}
    made.filters |= {"whole": "{:,}".format, "markdown": markdown}
    made.filters["signed"] = partial(number, digits=2, sign="+")
    return made


def percent(value: float) -> str:
    """A share, 0 to 1, in whole percent."""
    return "undefined" if np.isnan(value) else f"{value:.0%}"
