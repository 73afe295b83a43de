"""Write docs/configuration.md from the schema; `make docs` calls this.

Usage: python -m study.settings.documentation [FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

from sera.io.files import writing
from study.settings.schema import Schema, read_schema, settings_of

_ROOT = Path(__file__).resolve().parents[2]


def page(schema: Schema) -> str:
    """The page as Markdown: the schema's ``description``, and a table for each of its ``groups``."""
    source = "`make docs` writes this page from schemas/config.schema.yaml: change the schema, not this page."
    parts = [f"# Settings\n\n<!-- {source} -->\n\n{schema['description']}"]
    for title, names in schema["groups"].items():
        properties = {name: schema["properties"][name] for name in names}
        rows = [_row(name, part) for name, part in settings_of({"properties": properties})]
        parts.append("\n".join([f"## {title}", "", *_COLUMNS, *rows, ""]))
    return "\n".join(parts)


_COLUMNS = ("| setting | default | meaning |", "| --- | --- | --- |")


def _row(name: str, part: Schema) -> str:
    """The row of a setting: default, meaning, range, and an example where the default is empty."""
    default, meaning = "", part["description"]
    if "properties" not in part:
        default = f"`{_yaml(part['default'])}`"
        bounds = [f"{words} {part[key]}" for key, words in _BOUNDS.items() if key in part]
        meaning += f" {' and '.join(bounds).capitalize()}." if bounds else ""
        if part["default"] in (None, {}, []):
            meaning += f" Example: `{_yaml(part['examples'][0])}`."
    cells = (f"`{name}`", default, meaning)
    return f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in cells)} |"


_BOUNDS = {
    "minimum": "at least",
    "exclusiveMinimum": "above",
    "maximum": "at most",
    "exclusiveMaximum": "below",
}


def _yaml(value: Any) -> str:
    """A value as YAML in one line."""
    return yaml.safe_dump(value, default_flow_style=True, width=10_000, sort_keys=False).split("\n")[0]


if __name__ == "__main__":
    with writing(sys.argv[1] if len(sys.argv) > 1 else _ROOT / "docs/configuration.md") as stream:
        stream.write(page(read_schema(_ROOT / "schemas/config.schema.yaml")))
