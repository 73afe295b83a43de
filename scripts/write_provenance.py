"""Record what made the results, also as an RO-Crate."""

import hashlib
import json
import shutil
from datetime import date
from pathlib import Path

from sera.io import records
from sera.io.checksums import checksums
from sera.io.files import writing
from study.workflow.crate import describe_crate
from study.workflow.job import job

with job(snakemake) as rule:
    folder = Path(rule.output.record).parent
    # of the articles' texts, in whatever files they came
    texts = sorted(
        document.sha256
        for path in rule.input.articles
        for document in records.iterate(path, records.Document)
    )
    record = {
        "code": rule.params.commit,
        "versions": rule.params.versions,
        "settings": rule.params.settings,
        "inputs": [file._asdict() for file in checksums(rule.input.inputs, folder)],
        "texts": hashlib.sha256("".join(texts).encode()).hexdigest() if texts else None,
        "results": [file._asdict() for file in checksums(rule.input.results, folder)],
    }
    with writing(rule.output.workflow) as stream, open(rule.input.workflow, encoding="utf-8") as main:
        shutil.copyfileobj(main, stream)
    crate = describe_crate(
        record,
        folder,
        workflow=Path(rule.output.workflow).name,
        benchmark=rule.params.benchmark,
        day=date.today(),
        also=[Path(rule.output.record).name, "report.html"],
    )
    for path, content in ((rule.output.record, record), (rule.output.crate, crate)):
        with writing(path) as stream:
            json.dump(content, stream, indent=1, ensure_ascii=False)
            stream.write("\n")
