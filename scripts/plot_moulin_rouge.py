"""Draw the systems by the content and the abstraction of their summaries, MOULIN ROUGE's two scores."""

from functools import partial

from sera.evaluation.tables import caption
from sera.io.scores import read_scores
from sera.metrics.moulin_rouge import MoulinRouge
from sera.reporting.figures import save_both
from sera.reporting.overview import means_by_system
from study.report.plane_figure import ABSTRACTION_SCORE, CONTENT_SCORE, content_and_abstraction
from study.workflow.job import job

with job(snakemake) as rule:
    means = means_by_system(read_scores(rule.input.scores))[[CONTENT_SCORE, ABSTRACTION_SCORE]]
    whole = MoulinRouge(**rule.params.settings["MOULIN-ROUGE"])
    draw = partial(
        content_and_abstraction,
        means,
        beta=whole.beta,
        title=caption("moulin_rouge", rule.params.benchmark),
    )
    save_both(draw, rule.output[0].removesuffix(".svg"))
