"""Write docs/configuration.md from the schema; `make docs` calls this.

Usage: python -m study.settings.documentation [FILE]
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from sera.io.files import writing
from study.settings.schema import Schema, allowed, read_schema, settings_of

_ROOT = Path(__file__).resolve().parents[2]

_HEAD = """\
# Configuration

<!-- `make docs` writes this page from schemas/config.schema.yaml: change the schema, not this page. -->

This page documents every setting of the study: its meaning, allowed values, default and an example.
`config.yaml` has the common ones; any other can be added to it. To change a setting:

- permanently, in `config.yaml`;
- for one run, with `.venv/bin/snakemake --cores 2 --config mu=1000 'pyramid={tiers: annotation}'`, as in the
  examples below; the settings of a group that you do not name stay as they are;
- from your own file with some of the settings, `.venv/bin/snakemake --cores 2 --configfile mine.yaml`.

`make` passes on `BENCHMARK=`, `DATA=`, `TAC2014=`, `PYRAMIDS=`, `PMC_OA=` and `RESULTS=` as the settings
of the same names in lower case, `CONFIG='mu=1000 rouge={"stem":false}'` any settings (values without blanks),
and `CONFIGFILE=mine.yaml` a file. It
[passes their values unchanged](robustness.md#inputs-results-and-reruns). After a change,
the next run repeats the jobs that depend on it, and no others. All settings are checked before any job
starts: one line reports a misspelt name, a wrong value or a missing path.

No environment variable changes a setting. `SERA_LLM_URL` and `SERA_LLM_KEY` name
[a language model's server](guided.md#a-language-model), `SERA_SHARED` the folder of the tests' data, and
[robustness.md](robustness.md) lists the limits that the environment can set.
"""


def page(schema: Schema) -> str:
    """The page as Markdown, with a table for each group of settings.

    Raises ValueError if the schema's ``groups`` do not name each setting once.
    """
    grouped = [name for names in schema["groups"].values() for name in names]
    if sorted(grouped) != sorted(schema["properties"]):
        different = set(grouped) ^ set(schema["properties"])
        raise ValueError(f"groups of the schema do not name each setting once; see {sorted(different)}")
    parts = [_HEAD]
    for title, names in schema["groups"].items():
        properties = {name: schema["properties"][name] for name in names}
        rows = [_row(name, part) for name, part in settings_of({"properties": properties})]
        parts.append("\n".join([f"## {title}", "", *_COLUMNS, *rows, ""]))
    return "\n".join(parts)


_COLUMNS = ("| setting | meaning | value | default | example |", "| --- | --- | --- | --- | --- |")


def _row(name: str, part: Schema) -> str:
    cells = [f"`{name}`", part["description"], "", "", ""]
    if "properties" not in part:
        value = _example(name, part["examples"][0])
        cells[2:] = [allowed(part), f"`{_yaml(part['default'])}`", f"`--config {value}`"]
    return f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in cells)} |"


def _example(name: str, value: Any) -> str:
    first, *groups = name.split(".")
    for inner in reversed(groups):
        value = {inner: value}
    setting = f"{first}={_yaml(value)}"
    return f"'{setting}'" if re.search(r"[\s{\[]", setting) else setting


def _yaml(value: Any) -> str:
    """A value as YAML in one line."""
    if isinstance(value, list):
        return f"[{', '.join(map(_yaml, value))}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{key}: {_yaml(item)}" for key, item in value.items())
        return f"{{{inner}}}"
    return value if isinstance(value, str) else json.dumps(value)


if __name__ == "__main__":
    with writing(sys.argv[1] if len(sys.argv) > 1 else _ROOT / "docs/configuration.md") as stream:
        stream.write(page(read_schema(_ROOT / "schemas/config.schema.yaml")))
