"""The results as an RO-Crate: the content of a folder and its origin, in a vocabulary that programs read.

RO-Crate 1.1 (https://w3id.org/ro/crate/1.1) is JSON-LD with the terms of schema.org. A run is an action: its
instrument is this project, its objects are the inputs and the settings, its results the files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

CRATE_FILE = "ro-crate-metadata.json"
PROFILE = "https://w3id.org/ro/crate/1.1"

_TYPES = {
    ".tsv": "text/tab-separated-values",
    ".jsonl": "application/jsonl",
    ".json": "application/json",
    ".md": "text/markdown",
    ".tex": "application/x-tex",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".html": "text/html",
    ".trec": "text/plain",
}


def crate(
    record: Mapping[str, Any], folder: Path, *, benchmark: str, day: date, also: Iterable[str] = ()
) -> dict[str, Any]:
    """The crate, as plain data, of a record of `sera.reporting.provenance.record`.

    ``folder`` is the folder of the results, ``day`` the day of the run; ``also`` names files in the folder
    that the record does not list.
    """
    results = [_file(each, str(each["file"])) for each in record["results"]]
    results += [_file({"file": name}, name) for name in also]
    inputs = [_file(each, _address(Path(each["file"]), folder)) for each in record["inputs"]]
    inside = [each for each in inputs if not each["@id"].startswith("file:")]
    settings = [
        {
            "@id": f"#setting-{quote(name)}",
            "@type": "PropertyValue",
            "name": name,
            "value": value
            if isinstance(value, str)
            else json.dumps(value, ensure_ascii=False, sort_keys=True),
        }
        for name, value in record["settings"].items()
        if value is not None
    ]
    packages = [
        {
            "@id": f"#package-{quote(name)}",
            "@type": "SoftwareApplication",
            "name": name,
            "softwareVersion": version,
        }
        for name, version in record["versions"].items()
    ]
    code = record["code"]
    version = code["commit"] or "unknown"
    workflow = {
        "@id": "#workflow",
        "@type": "SoftwareSourceCode",
        "name": "sera-reproduction",
        "description": "A reproduction of Cohan and Goharian (2016), Revisiting Summarization Evaluation for "
        "Scientific Articles; a Snakemake workflow.",
        "programmingLanguage": {"@id": "#package-python"} if "python" in record["versions"] else "Python",
        "version": f"{version} with changes" if code["modified"] else version,
        "license": {"@id": "https://spdx.org/licenses/MIT"},
        "softwareRequirements": _links(packages),
    }
    if code["repository"]:
        workflow["codeRepository"] = code["repository"]
    run = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"The study on the benchmark {benchmark}",
        "instrument": {"@id": "#workflow"},
        "object": _links([*inputs, *settings]),
        "result": _links(results),
        "endTime": day.isoformat(),
    }
    root: dict[str, Any] = {
        "@id": "./",
        "@type": "Dataset",
        "name": f"SERA and ROUGE against human judgement: {benchmark}",
        "description": "Summaries, scores, correlations, tables and figures of one run.",
        "datePublished": day.isoformat(),
        "license": {"@id": "#license"},
        "hasPart": _links([*results, *inside]),
        "mentions": {"@id": "#run"},
    }
    of_data = {
        "@id": "#license",
        "@type": "CreativeWork",
        "name": "The licence of the benchmark's data, for what quotes it",
        "description": "Summaries and texts are under the terms of the benchmark that they were made from.",
    }
    mit = {"@id": "https://spdx.org/licenses/MIT", "@type": "CreativeWork", "name": "MIT License"}
    metadata = {
        "@id": CRATE_FILE,
        "@type": "CreativeWork",
        "conformsTo": {"@id": PROFILE},
        "about": {"@id": "./"},
    }
    everything: list[dict[str, Any]] = [metadata, root, *results, *inputs, run, workflow]
    everything += [*settings, *packages, of_data, mit]
    entities = {each["@id"]: each for each in everything}
    return {
        "@context": [f"{PROFILE}/context", {"sha256": "https://schema.org/sha256"}],
        "@graph": list(entities.values()),
    }


def _address(path: Path, folder: Path) -> str:
    """The address of a file: its path in the folder, or else its absolute path as a URI."""
    return str(path) if not path.is_absolute() and (folder / path).exists() else path.absolute().as_uri()


def _file(entry: Mapping[str, Any], address: str) -> dict[str, Any]:
    path = PurePath(entry["file"])
    made: dict[str, Any] = {
        "@id": address if address.startswith("file:") else quote(address),
        "@type": "File",
        "name": path.name,
    }
    if path.suffix in _TYPES:
        made["encodingFormat"] = _TYPES[path.suffix]
    if "bytes" in entry:
        made |= {"contentSize": str(entry["bytes"]), "sha256": entry["sha256"]}
    return made


def _links(entities: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    return [{"@id": each["@id"]} for each in entities]
