"""The experiment in short: guidance finds keywords that the same weights miss alone."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from sera_guided import GUIDED  # noqa: E402
from sera_guided.abstractive import Abstractive  # noqa: E402
from sera_guided.experiment import SETTINGS, STRENGTHS, made_topics, mean_rouge_k  # noqa: E402
from sera_guided.settings import GuidedSettings  # noqa: E402
from sera_guided.systems import generate  # noqa: E402
from sera_guided.training import train  # noqa: E402

torch.set_num_threads(1)


def test_rwgen_finds_more_keywords_than_bart(tmp_path):
    """RwGen is trained as BART is, so one training serves both. Of five names in an article one is the
    keyword, and it has the highest TF-IDF.
    """
    settings = GuidedSettings.of({**SETTINGS, "epochs": 6, "strength": STRENGTHS["rwgen"]})
    topics, development, tested = made_topics(480, 7), made_topics(8, 8, "d"), made_topics(60, 9, "x")
    work, out = tmp_path / "work", tmp_path / "model"
    bart = train("bart", settings, topics, development, out, work=work, say=print).system
    assert isinstance(bart, Abstractive)
    model = GUIDED.load("rwgen")(bart.model.config)
    model.load_state_dict(bart.model.state_dict())
    model.generation_config = bart.model.generation_config
    rwgen = Abstractive("rwgen", model, bart.tokenizer, bart.weights, settings)
    without, guided = (mean_rouge_k(generate(one, tested.sources), tested) for one in (bart, rwgen))
    assert guided > without + 0.3  # 1.00 and 0.02 where it was written; over four seeds at least 0.55 more
