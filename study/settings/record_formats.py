"""Write schemas/records/*.schema.json: the JSON Schema of a line of each JSONL format.

`make docs` calls this.

Usage: python -m study.settings.record_formats [FOLDER]
"""

from __future__ import annotations

import dataclasses
import json
import sys
import types
import typing
from pathlib import Path
from typing import Any

from sera import names
from sera.io import records
from sera.io.files import writing

_FOLDER = Path(__file__).resolve().parents[2] / "schemas/records"
KINDS = {
    "candidates": records.Candidate,
    "references": records.Reference,
    "sources": records.Source,
    "citances": records.Citance,
    "nuggets": records.Nugget,
    "documents": records.Document,
    "queries": records.Query,
}
_MEANINGS = {
    "topic": "name of the topic",
    "system": "name of the system; human_A is annotator A's own summary",
    "annotator": "name of the annotator",
    "id": "name of the article, document or query",
    "citing": "the article that cites",
    "metric": "selector of the metric",
    "score": "the score; null if it is undefined",
    "note": "why the score is undefined or says little",
    "sentences": "the sentences in their order",
}
_REFUSED = (
    r"\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff"
    r"\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
)
"""The characters that `sera.names` refuses, except for halves of characters, which JSON cannot contain."""


def schema_of(kind: type, title: str) -> dict[str, Any]:
    """The JSON Schema of a line with a record of this kind; a line may have other fields too."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **_object(kind)}
    if kind is records.Source:
        schema["properties"]["sentences"] = {
            "type": "array",
            "items": {"type": "string"},
            "description": "the article without sections, in place of `sections`",
        }
    return schema


def schemas() -> dict[str, dict[str, Any]]:
    """The schemas by the name of the format."""
    found = {title: schema_of(kind, title) for title, kind in KINDS.items()}
    score = schema_of(records.GivenScore, "scores")
    score["properties"]["score"]["type"] = ["number", "null"]
    score["properties"]["metric"] = {"type": "string", "description": _MEANINGS["metric"]}
    score["properties"]["note"] = {"type": "string", "description": _MEANINGS["note"]}
    return {**found, "scores": score}


def _object(kind: type) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    fields = dataclasses.fields(kind)
    properties = {each.name: _value(each.name, hints[each.name]) for each in fields}
    required = [each.name for each in fields if each.default is dataclasses.MISSING]
    return {"type": "object", "required": required, "properties": properties}


def _value(name: str, hint: Any) -> dict[str, Any]:
    schema: dict[str, Any]
    if isinstance(hint, types.GenericAlias):
        schema = {"type": "array", "items": _value("", hint.__args__[0])}
    elif dataclasses.is_dataclass(hint):
        schema = _object(hint)  # type: ignore[arg-type]
    elif hint is float:
        schema = {"type": "number"}
    else:
        schema = {"type": "string"}
    if name in records.NAMES:
        # (?![\s\S]) is the end of the text
        pattern = rf"^(?! )[^{_REFUSED}]*[^ {_REFUSED}](?![\s\S])"
        schema |= {"maxLength": names.LONGEST, "pattern": pattern}
    return schema | ({"description": _MEANINGS[name]} if name in _MEANINGS else {})


def text_of(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else _FOLDER
    for title, schema in schemas().items():
        with writing(folder / f"{title}.schema.json") as stream:
            stream.write(text_of(schema))
