"""Audit the published rank correlations: over how many systems can they have been taken?"""

import logging
from itertools import chain
from pathlib import Path

from job import job

from sera.audit import audit, digits_of, markdown, paragraphs, read_pairs, summary
from sera.figures import attainable_pairs, save
from sera.files import writing
from sera.tables import write_tsv

logging.getLogger("fontTools").setLevel(logging.WARNING)  # else a hundred lines on the letters of the PDF
TITLE = "How many systems can the published rank correlations have been taken over?"

with job(snakemake) as rule:  # noqa: F821
    tables = {Path(path).stem: read_pairs(path) for path in rule.input}
    digits = digits_of(chain(*tables.values()))
    rows = audit(tables, digits)
    counts = summary(rows, digits)
    write_tsv(rule.output.table, rows)
    write_tsv(rule.output.summary, counts)
    for path, text in (
        (rule.output.markdown, markdown(rows, counts, title=TITLE)),
        (rule.output.paragraphs, paragraphs(rows, counts, digits)),
    ):
        with writing(path) as stream:
            stream.write(text)
    save(attainable_pairs(rows, counts, title=TITLE), rule.output.figure[0].removesuffix(".svg"))
