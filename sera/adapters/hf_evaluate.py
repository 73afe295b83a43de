"""A module of Hugging Face's `evaluate`, which has to be installed.

``evaluate.load("sera/adapters/hf_evaluate.py")`` gives it, and ``compute(predictions=[...],
references=[[...]], metrics=["ROUGE-2-F"])`` returns the mean of each metric by its selector;
``use_aggregator=False`` gives the list of scores instead.
"""

import datasets
import evaluate

import sera


class SeraEvaluate(evaluate.Metric):
    """The metrics of this package that need texts alone; each prediction has a list of references."""

    def _info(self):
        texts = datasets.Value("string")
        return evaluate.MetricInfo(
            description="Metrics of summaries: ROUGE-1.5.5 to the last digit, ROUGE-K, JS and others.",
            citation=sera.metric("ROUGE-1-F").citation,
            inputs_description="predictions: texts; references: a list of texts each; metrics: selectors.",
            features=[
                datasets.Features({"predictions": texts, "references": datasets.Sequence(texts)}),
                datasets.Features({"predictions": texts, "references": texts}),
            ],
        )

    def _compute(
        self, predictions, references, metrics=("ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F"), use_aggregator=True
    ):
        found = {}
        for selector in metrics:
            scores = sera.metric(selector).score_all(predictions, references)
            found[selector] = sum(scores) / len(scores) if use_aggregator else scores
        return found
