"""BERTScore beside the authors' package, on small models with drawn weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from bert_score import utils  # noqa: E402
from small_encoders import CANDIDATES, LAYERS, RECORDED, REFERENCES, make_models  # noqa: E402

from sera import metric  # noqa: E402
from sera.errors import InputError  # noqa: E402
from sera_guided import encoders  # noqa: E402
from sera_guided.encoders import Encoder  # noqa: E402

KINDS = ("bert", "roberta", "bart")


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return make_models(tmp_path_factory.mktemp("models"))


def ours(model, layer, candidates=CANDIDATES, references=REFERENCES):
    encoder = Encoder(model)
    metrics = [metric(f"BERTScore-{part}", encoder=encoder, layer=layer) for part in "PRF"]
    return [
        [each.score(candidate, against) for candidate, against in zip(candidates, references, strict=True)]
        for each in metrics
    ]


def flat(measures):
    return [float(one) for measure in measures for one in measure]


@pytest.mark.parametrize("layer", [1, LAYERS])
@pytest.mark.parametrize("kind", KINDS)
def test_the_recorded_scores_of_the_package(models, kind, layer):
    """With transformers 4, as the authors ran it; several references, empty and long texts among them."""
    recorded = json.loads(RECORDED.read_text())["P, R, F of each candidate"][f"{kind} {layer}"]
    assert flat(ours(models[kind], layer)) == pytest.approx(flat(recorded), abs=1e-6)


def test_a_text_is_cut_off_where_the_tokenizer_says(models):
    """32 of BERT's positions are for tokens, and 32 of RoBERTa's 34."""
    for kind in KINDS:
        assert len(Encoder(models[kind]).tokens("p53 " * 50, 1).vectors) == 32


def test_a_tokenizer_that_names_no_limit_has_that_of_the_positions(tmp_path):
    for kind, model in make_models(tmp_path).items():
        config = Path(model, "tokenizer_config.json")
        read = json.loads(config.read_text())
        del read["model_max_length"]
        config.write_text(json.dumps(read))
        if kind != "bart":
            assert len(Encoder(model).tokens("p53 " * 50, 1).vectors) == 32


def test_a_lower_layer_after_a_higher_one_is_its_own(models):
    encoder = Encoder(models["bert"])
    first = encoder.tokens("the cell dies", 1).vectors
    encoder.tokens("the cell dies", 3)
    encoder._tokens.cache_clear()
    assert (encoder.tokens("the cell dies", 1).vectors == first).all()
    assert abs(encoder.tokens("the cell dies", 3).vectors - first).max() > 0.1


def test_a_layer_has_to_be_known(models):
    with pytest.raises(InputError, match="best layer of .* not known.* --set BERTScore.layer=9"):
        Encoder(models["bert"]).tokens("x")
    with pytest.raises(InputError, match=f"has {LAYERS} layers, not {LAYERS + 1}"):
        Encoder(models["bert"]).tokens("x", LAYERS + 1)


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(InputError, match="the language model .* cannot be read"):
        Encoder(str(tmp_path))


def test_the_layers_are_those_of_the_package():
    """Its names have the owner of a model before a stroke."""
    theirs = {name.rpartition("/")[2]: layer for name, layer in utils.model2layers.items()}
    assert encoders.LAYERS == {name: theirs[name] for name in encoders.LAYERS}
