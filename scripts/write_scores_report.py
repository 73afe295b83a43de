"""Write the page of an evaluation of scores without texts."""

from sera.evaluation.evaluate import JudgedScores
from sera.io.scores import read_judgements, read_scores
from sera.reporting.scores_page import write_scores_report
from study.workflow.job import job

LEFT_OUT = (
    "The release has scores without texts. The summaries beside their references, the keywords of ROUGE-K, "
    "partial correlations and the multiverse need texts, and are left out."
)

with job(snakemake) as rule:
    write_scores_report(
        rule.output[0],
        JudgedScores.from_tables(read_scores(rule.input.scores), read_judgements(rule.input.judgements)),
        name=rule.params.benchmark,
        command=f"make reproduce BENCHMARK={rule.params.benchmark} DATA=...",
        files=[rule.input.scores, rule.input.judgements],
        notes=[LEFT_OUT],
        resamples=rule.params.resamples,
        confidence=rule.params.confidence,
        seed=rule.params.seed,
    )
