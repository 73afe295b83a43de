"""The results as an RO-Crate: the content of a folder and its origin, in a vocabulary that programs read.

A Workflow Run Crate 0.5 (https://w3id.org/ro/wfrun/workflow/0.5) describes a run as an action: its instrument
is the workflow, its objects are the inputs and the settings, its results the files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date
from mimetypes import MimeTypes
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rocrate.model import ComputationalWorkflow, ContextEntity
from rocrate.rocrate import ROCrate

PROFILE = "https://w3id.org/ro/crate/1.1"
# the profiles of the root, each with its name; a run of a workflow is a run of a process too
RUN_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
_FORMATS = MimeTypes()  # Python's own types only, independent of the machine
_FORMATS.add_type("application/jsonl", ".jsonl")
_FORMATS.add_type("text/markdown", ".md")
_TYPES_OF_VALUES = {bool: "Boolean", int: "Integer", float: "Float"}  # lists and mappings are JSON, a text


def describe_crate(
    record: Mapping[str, Any],
    folder: Path,
    *,
    workflow: str,
    benchmark: str,
    day: date,
    also: Iterable[str] = (),
) -> dict[str, Any]:
    """The crate, as plain data, of a record: its code, versions, settings, inputs and results.

    ``workflow`` is the path of the workflow's main file in the ``folder`` of the results; ``also`` names
    files in the folder that the record does not list.
    """
    crate, code, versions = ROCrate(), record["code"], record["versions"]

    def entity(address: str, kind: str, **properties: Any) -> ContextEntity:
        values = {name: value for name, value in properties.items() if value is not None}
        return crate.add(ContextEntity(crate, address, {"@type": kind, **values}))

    def port(name: str, files: list[Any]) -> list[ContextEntity]:
        file_properties = {"name": name, "additionalType": "File", "workExample": files}
        return [entity(f"#files-{name}", "FormalParameter", **file_properties)] if files else []

    def file(each: Mapping[str, Any]) -> Any:
        path = Path(each["file"])
        is_local = not path.is_absolute() and ((folder / path).exists() or "bytes" not in each)
        own = {"contentSize": str(each["bytes"]), "sha256": each["sha256"]} if "bytes" in each else {}
        own |= {"encodingFormat": form} if (form := _FORMATS.guess_type(path.name)[0]) else {}
        place = {"dest_path": quote(str(path))} if is_local else {"source": path.absolute().as_uri()}
        return crate.add_file(**place, properties={"name": path.name, **own})

    main = crate.add(ComputationalWorkflow(crate, dest_path=quote(workflow)))
    results = [file(each) for each in [*record["results"], *({"file": name} for name in also)]]
    inputs = [file(each) for each in record["inputs"]]
    settings, parameters = [], []
    for name, value in record["settings"].items():
        if value is not None:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
            kind = _TYPES_OF_VALUES.get(type(value), "Text")
            parameter = entity(f"#parameter-{quote(name)}", "FormalParameter", name=name, additionalType=kind)
            own = {"name": name, "value": text, "exampleOfWork": parameter}
            settings.append(entity(f"#setting-{quote(name)}", "PropertyValue", **own))
            parameter["workExample"] = settings[-1]
            parameters.append(parameter)
    identifier = "https://doi.org/10.1093/bioinformatics/bts480"
    snakemake = {"name": "Snakemake", "identifier": identifier, "url": "https://snakemake.readthedocs.io"}
    snakemake["version"] = versions.get("snakemake")
    address = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
    properties = {
        "name": "sera-reproduction",
        "description": "A reproduction of Cohan and Goharian (2016), Revisiting Summarization Evaluation for "
        "Scientific Articles; a Snakemake workflow.",
        "encodingFormat": "text/x-python",
        "programmingLanguage": entity(address, "ComputerLanguage", **snakemake),
        "version": f"{code['commit'] or 'unknown'}{' with changes' if code['modified'] else ''}",
        "license": entity("https://spdx.org/licenses/MIT", "CreativeWork", name="MIT License"),
        "softwareRequirements": [
            entity(f"#package-{quote(name)}", "SoftwareApplication", name=name, softwareVersion=version)
            for name, version in versions.items()
        ],
        "input": [*parameters, *port("data", inputs)],
        "output": port("results", results),
        "codeRepository": code["repository"],
    }
    what = {"name": f"The study on the benchmark {benchmark}", "endTime": day.isoformat(), "instrument": main}
    run = entity("#run", "CreateAction", **what, object=[*inputs, *settings], result=results)
    profiles = [
        entity(address, "CreativeWork", name=name, version=address.rsplit("/", 1)[1])
        for address, name in RUN_PROFILES.items()
    ]
    terms = "Summaries and texts are under the terms of the benchmark that they were made from."
    licence = {"name": "The licence of the benchmark's data, for what quotes it", "description": terms}
    root_properties = {
        "conformsTo": profiles,
        "name": f"SERA and ROUGE against human judgement: {benchmark}",
        "description": "Summaries, scores, correlations, tables and figures of one run.",
        "datePublished": day.isoformat(),
        "license": entity("#license", "CreativeWork", **licence),
        "mainEntity": main,
        "mentions": run,
    }
    for item, own in ((main, properties), (crate.root_dataset, root_properties)):
        for name, value in own.items():
            if value is not None:
                item[name] = value
    crate.metadata["conformsTo"] = [{"@id": PROFILE}, profiles[-1]]
    crate.metadata.extra_terms["sha256"] = "https://schema.org/sha256"
    return crate.metadata.generate()
