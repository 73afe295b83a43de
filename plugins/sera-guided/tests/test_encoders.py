"""The vectors of BERTScore, from a BERT that the test makes."""

from __future__ import annotations

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from click.testing import CliRunner  # noqa: E402
from transformers import BertModel  # noqa: E402

from sera.cli import main  # noqa: E402
from sera.errors import InputError  # noqa: E402
from sera_guided.encoders import Encoder  # noqa: E402
from sera_guided.tiny import tiny_bert, tiny_tokenizer  # noqa: E402

TEXTS = ["the kinase binds p53", "p53 is bound by the kinase"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("bert")
    torch.manual_seed(1)
    tokenizer = tiny_tokenizer(TEXTS)
    BertModel(tiny_bert(len(tokenizer))).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


def test_the_vectors_are_those_of_the_layer(folder):
    encoder = Encoder(str(folder))
    ids = encoder._tokenizer(TEXTS[0])["input_ids"]
    with torch.no_grad():
        states = encoder._model(torch.tensor([ids]), output_hidden_states=True).hidden_states
    for layer in (1, 2):
        found, words = encoder.tokens(TEXTS[0], layer)
        wanted = states[layer][0].numpy()
        assert found.shape == (len(ids), 64) and (ids[0], ids[-1]) == (0, 2)
        assert words.tolist() == [False, *[True] * (len(ids) - 2), False]
        assert np.allclose(found, wanted / np.linalg.norm(wanted, axis=1, keepdims=True), atol=1e-6)


def test_a_layer_has_to_be_known(folder):
    with pytest.raises(InputError, match="best layer of .* not known.* --set BERTScore.layer=9"):
        Encoder(str(folder)).tokens("x")
    with pytest.raises(InputError, match="has 2 layers, not 3"):
        Encoder(str(folder)).tokens("x", 3)


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(InputError, match="the language model .* cannot be read"):
        Encoder(str(tmp_path))


def test_the_command_scores_by_the_model(folder, tmp_path):
    for kind, field in (("candidates", "system"), ("references", "annotator")):
        line = {"topic": "t", field: "s", "sentences": ["the kinase binds p53"]}
        (tmp_path / f"{kind}.jsonl").write_text(json.dumps(line))
    given = [f"--{kind}={tmp_path}/{kind}.jsonl" for kind in ("candidates", "references")]
    given += [f"--out={tmp_path}/scores.tsv", f"--encoder={folder}", "--set=BERTScore.layer=2"]
    metrics = "BERTScore-P,BERTScore-R,BERTScore-F"
    result = CliRunner().invoke(main, ["score", "--metrics", metrics, *given])
    assert result.exit_code == 0, result.output
    lines = (tmp_path / "scores.tsv").read_text().splitlines()
    scores = [line.split("\t")[3] for line in lines if line.startswith("t\ts\t")]
    assert [float(score) for score in scores] == pytest.approx([1, 1, 1], abs=1e-5)
