"""The results as an RO-Crate: the content of a folder and its origin, in a vocabulary that programs read.

RO-Crate 1.1 (https://w3id.org/ro/crate/1.1) is JSON-LD with the terms of schema.org; a Workflow Run Crate 0.5
(https://w3id.org/ro/wfrun/workflow/0.5) describes a run of a workflow with it. A run is an action: its
instrument is the workflow, its objects are the inputs and the settings, its results the files. The parameters
of the workflow are its data, its settings and its results.
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
# the profiles of the root, each with its name; a run of a workflow is a run of a process too
RUN_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
SNAKEMAKE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"

_TYPES = {
    ".ann": "text/plain",
    ".csv": "text/csv",
    ".gz": "application/gzip",
    ".npz": "application/zip",
    ".tar": "application/x-tar",
    ".tsv": "text/tab-separated-values",
    ".jsonl": "application/jsonl",
    ".json": "application/json",
    ".md": "text/markdown",
    ".tex": "application/x-tex",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".html": "text/html",
    ".smk": "text/x-python",
    ".trec": "text/plain",
    ".txt": "text/plain",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
}
# lists and mappings are JSON, a text
_TYPES_OF_VALUES = {bool: "Boolean", int: "Integer", float: "Float"}


def crate(
    record: Mapping[str, Any],
    folder: Path,
    *,
    workflow: str,
    benchmark: str,
    day: date,
    also: Iterable[str] = (),
) -> dict[str, Any]:
    """The crate, as plain data, of a record of `sera.reporting.provenance.record`.

    ``folder`` is the folder of the results, ``workflow`` the path of the workflow's main file in it, ``day``
    the day of the run; ``also`` names files in the folder that the record does not list.
    """
    results = [_file(each, str(each["file"])) for each in record["results"]]
    results += [_file({"file": name}, name) for name in also]
    inputs = [_file(each, _address(Path(each["file"]), folder)) for each in record["inputs"]]
    settings = [_setting(name, value) for name, value in record["settings"].items() if value is not None]
    packages = [
        {
            "@id": f"#package-{quote(name)}",
            "@type": "SoftwareApplication",
            "name": name,
            "softwareVersion": version,
        }
        for name, version in record["versions"].items()
    ]
    taken = [_parameter(name, value) for name, value in record["settings"].items() if value is not None]
    if inputs:
        taken.append(_files_parameter("data", inputs))
    made = [_files_parameter("results", results)] if results else []
    main = _workflow(record, workflow, packages)
    main |= {"input": _links(taken), "output": _links(made)}
    run = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"The study on the benchmark {benchmark}",
        "instrument": {"@id": main["@id"]},
        "object": _links([*inputs, *settings]),
        "result": _links(results),
        "endTime": day.isoformat(),
    }
    root: dict[str, Any] = {
        "@id": "./",
        "@type": "Dataset",
        "conformsTo": [{"@id": profile} for profile in RUN_PROFILES],
        "name": f"SERA and ROUGE against human judgement: {benchmark}",
        "description": "Summaries, scores, correlations, tables and figures of one run.",
        "datePublished": day.isoformat(),
        "license": {"@id": "#license"},
        "mainEntity": {"@id": main["@id"]},
        "hasPart": _links([main, *results, *inputs]),
        "mentions": {"@id": "#run"},
    }
    profiles = [
        {"@id": profile, "@type": "CreativeWork", "name": name, "version": profile.rsplit("/", 1)[1]}
        for profile, name in RUN_PROFILES.items()
    ]
    language = {
        "@id": SNAKEMAKE,
        "@type": "ComputerLanguage",
        "name": "Snakemake",
        "identifier": "https://doi.org/10.1093/bioinformatics/bts480",
        "url": "https://snakemake.readthedocs.io",
    }
    if version := record["versions"].get("snakemake"):
        language["version"] = version
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
        "conformsTo": [{"@id": PROFILE}, {"@id": list(RUN_PROFILES)[-1]}],
        "about": {"@id": "./"},
    }
    everything: list[dict[str, Any]] = [metadata, root, main, *results, *inputs, run, *taken, *made]
    everything += [*settings, *packages, language, *profiles, of_data, mit]
    entities = {each["@id"]: each for each in everything}
    return {
        "@context": [f"{PROFILE}/context", {"sha256": "https://schema.org/sha256"}],
        "@graph": list(entities.values()),
    }


def _workflow(record: Mapping[str, Any], path: str, packages: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The main file of the workflow, at the commit that the record names."""
    code = record["code"]
    version = code["commit"] or "unknown"
    described = {
        "@id": quote(path),
        "encodingFormat": _TYPES[PurePath(path).suffix],
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "name": "sera-reproduction",
        "description": "A reproduction of Cohan and Goharian (2016), Revisiting Summarization Evaluation for "
        "Scientific Articles; a Snakemake workflow.",
        "programmingLanguage": {"@id": SNAKEMAKE},
        "version": f"{version} with changes" if code["modified"] else version,
        "license": {"@id": "https://spdx.org/licenses/MIT"},
        "softwareRequirements": _links(packages),
    }
    if code["repository"]:
        described["codeRepository"] = code["repository"]
    return described


def _setting(name: str, value: Any) -> dict[str, Any]:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    parameter = {"@id": f"#parameter-{quote(name)}"}
    return {
        "@id": f"#setting-{quote(name)}",
        "@type": "PropertyValue",
        "name": name,
        "value": text,
        "exampleOfWork": parameter,
    }


def _parameter(name: str, value: Any) -> dict[str, Any]:
    """The parameter of the workflow that a setting gives a value."""
    return {
        "@id": f"#parameter-{quote(name)}",
        "@type": "FormalParameter",
        "name": name,
        "additionalType": _TYPES_OF_VALUES.get(type(value), "Text"),
        "workExample": {"@id": f"#setting-{quote(name)}"},
    }


def _files_parameter(name: str, files: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The parameter of the workflow that stands for files; its name cannot be that of a setting."""
    return {
        "@id": f"#files-{name}",
        "@type": "FormalParameter",
        "name": name,
        "additionalType": "File",
        "workExample": _links(files),
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
