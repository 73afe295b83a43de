"""Score every candidate by SERA, from the kept rankings."""

from sera import records
from sera.metrics import metric
from sera.metrics.scoring import score, write_scores
from sera.metrics.sera import PAPER_CUTOFFS, RunRankings, Sera
from sera.reporting.job import job
from sera.retrieval.runs import read_run

with job(snakemake) as rule:  # noqa: F821
    runs = zip(rule.params.formulations, map(read_run, rule.input.runs), strict=True)
    rankings = RunRankings(dict(runs))
    cutoffs = sorted({*rule.params.cutoffs, *PAPER_CUTOFFS})
    write_scores(
        rule.output[0],
        score(
            [metric(name, rankings=rankings) for name in Sera.names(cutoffs)],
            records.read_all(rule.input.candidates, records.Candidate),
            records.read(rule.input.references, records.Reference),
        ),
    )
