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
        write_judgements(rule.output.judgements, (each for topic in topics for each in topic.judgements))
    if "preferences" in rule.output.keys():
        write_choices(rule.output.preferences, (each for topic in topics for each in topic.preferences))
    if "given" in rule.output.keys():
        given = [each for topic in topics for each in topic.given]
        write_given(rule.output.given, rule.output.signatures, given)
    for kind in {"references", "citances", "nuggets", "documents", "candidates"} & set(rule.output.keys()):
        records.write(rule.output[kind], (record for topic in topics for record in getattr(topic, kind)))
