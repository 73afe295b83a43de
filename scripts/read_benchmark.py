"""Read a benchmark's topics into records."""

from sera.benchmarks import load_benchmark
from sera.io import records
from sera.io.scores import write_choices, write_given, write_judgements
from study.workflow.job import job

with job(snakemake) as rule:
    benchmark = load_benchmark(rule.params.benchmark)
    benchmark.check(rule.params.release)
    options = {name: rule.params[name] for name in benchmark.OPTIONS}
    topics = benchmark.read(rule.params.release, **options)
    records.write(rule.output.sources, (topic.source for topic in topics))
    if "judgements" in rule.output.keys():
        write_judgements(rule.output.judgements, (row for topic in topics for row in topic.judgements))
    for path in rule.output.get("preferences", []):
        write_choices(path, (row for topic in topics for row in topic.preferences))
    for path, signatures in zip(rule.output.get("given", []), rule.output.get("signatures", []), strict=True):
        write_given(path, signatures, [row for topic in topics for row in topic.given])
    for kind in {"references", "citances", "nuggets", "documents", "candidates"} & set(rule.output.keys()):
        records.write(rule.output[kind], (record for topic in topics for record in getattr(topic, kind)))
