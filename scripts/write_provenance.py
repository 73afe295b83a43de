"""Record what made the results."""

import json
from pathlib import Path

from job import job

from sera.files import writing
from sera.provenance import checksums, read_files, record

with job(snakemake) as rule, writing(rule.output[0]) as out:  # noqa: F821
    made = record(
        code=rule.params.commit,
        versions=rule.params.versions,
        settings=rule.params.settings,
        inputs=read_files(rule.input.inputs),
        results=checksums(rule.input.results, Path(rule.output[0]).parent),
    )
    json.dump(made, out, indent=1, ensure_ascii=False)
    out.write("\n")
