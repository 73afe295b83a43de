"""Ask a language model for a summary of each article."""

from pathlib import Path

from sera.io import records
from sera.summarizers.language_model import Question, summaries_of_model
from study.workflow.job import job

with job(snakemake) as rule:
    given = rule.params.question  # the model's name, or settings
    records.write(
        rule.output[0],
        summaries_of_model(
            Question(given) if isinstance(given, str) else Question(**given),
            records.read(rule.input.sources, records.Source),
            rule.wildcards.system,
            Path(rule.params.answers),
        ),
    )
