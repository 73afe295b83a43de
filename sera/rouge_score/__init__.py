"""Google's package rouge-score 0.1.2, with its names, arguments and results.

>>> from sera.rouge_score import rouge_scorer
>>> scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
>>> scorer.score("the cat sat", "the cats sat down")["rouge1"]
Score(precision=0.75, recall=1.0, fmeasure=0.8571428571428571)

`compute` is that of "rouge" in Hugging Face's evaluate.
"""

from itertools import chain

import numpy as np

from sera.errors import InputError
from sera.metrics.scoring import scores_of
from sera.rouge_score import rouge_scorer, scoring


def compute(
    *, predictions, references, rouge_types=None, use_aggregator=True, use_stemmer=False, tokenizer=None
) -> dict[str, float] | dict[str, list[float]]:
    """The F of each type: the median of bootstrapped means, or without ``use_aggregator`` a list of all.

    ``references`` has a text or a list of texts for each prediction. ``tokenizer`` is a function. Samples
    are drawn with the seed of NumPy's global generator, which stays as it is. InputError, a ValueError, for
    an unknown type, for lists that differ in length, for empty ones, and for what is not a string.
    """
    if len(predictions) != len(references) or not len(predictions):
        problem = f"there are {len(predictions)} predictions and references of {len(references)}"
        raise InputError(problem, remedy="Give each prediction its reference, or a list of references.")
    lists = [list(each) if isinstance(each, list | tuple) else [each] for each in references]
    if not all(lists) or not all(isinstance(text, str) for text in chain(predictions, *lists)):
        raise InputError("a prediction or its reference is not a string", remedy="Give strings.")
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"] if rouge_types is None else rouge_types
    metrics = rouge_scorer.make_metrics(tuple(types), use_stemmer and not tokenizer, tokenizer, "F")
    values = scores_of(metrics, list(zip(predictions, lists, [None] * len(lists))))
    if not use_aggregator:
        return dict(zip(types, values.T.tolist()))
    state = np.random.get_state()
    np.random.seed(state[1][0])  # type: ignore[index]
    resample = scoring.BootstrapAggregator().resample
    medians = {name: resample(column[:, None])[1, 0] for name, column in zip(types, values.T)}
    np.random.set_state(state)
    return medians
