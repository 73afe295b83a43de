"""Put the systems' summaries into one file, and the baselines' into another."""

from job import job

from sera import records

with job(snakemake) as rule:  # noqa: F821
    for kind in ("systems", "baselines"):
        records.write(
            rule.output[kind],
            (
                record
                for path in rule.input.get(kind, [])
                for record in records.iterate(path, records.Candidate)
            ),
        )
