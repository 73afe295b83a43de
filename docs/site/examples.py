"""An extension of Griffe: the examples of docstrings are blocks of code, not Markdown."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension

_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n).+)*", re.MULTILINE)


class Examples(Extension):
    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
