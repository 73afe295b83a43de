"""Training: a killed run goes on with the same losses, early stopping, accumulation, files."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")


from sera.errors import InputError  # noqa: E402
from sera.io.records import Reference  # noqa: E402
from sera_guided import GUIDED, training  # noqa: E402
from sera_guided.examples import Topics  # noqa: E402
from sera_guided.experiment import make_topics  # noqa: E402
from sera_guided.presumm import choose, label_sentences, sinusoids  # noqa: E402
from sera_guided.settings import GuidedSettings  # noqa: E402
from sera_guided.systems import begin, generate, load  # noqa: E402
from sera_guided.tiny import tiny_bert  # noqa: E402
from sera_guided.training import learning_rate, train  # noqa: E402

torch.set_num_threads(1)
SMALL = {
    **{"epochs": 2, "batch": 2, "accumulation": 2, "learning_rate": 2e-3, "checkpoint": 2},
    **{"beams": 2, "source_tokens": 96, "summary_tokens": 12, "least_tokens": 5},
}
TRAINING, DEVELOPMENT = make_topics(10, 1), make_topics(3, 2, "d")


settings_of = GuidedSettings.from_mapping


def trained(name, out: Path, **other):
    lines: list[str] = []
    settings = settings_of({**SMALL, **other})
    found = train(name, settings, TRAINING, DEVELOPMENT, out, work=Path(f"{out}.training"), say=lines.append)
    return found, lines


def all_references(topics):
    return [one for source in topics.sources for one in topics.references[source.topic]]


def losses(found):
    return [row.loss for row in found.rows]


@pytest.mark.parametrize("name", list(GUIDED))
def test_every_system_trains_writes_and_is_read_again(name, tmp_path):
    found, lines = trained(name, tmp_path / "model")
    assert [row.update for row in found.rows] == [1, 2, 3, 4, 5, 6]  # 10 examples, 4 in an update
    assert [row.score is None for row in found.rows] == [True, True, False] * 2
    assert len(lines) == 2 and lines[0].startswith("pass 1: loss ")
    assert not (tmp_path / "model.training").exists()
    names = {file.name for file in (tmp_path / "model").iterdir()}
    assert names >= {"model.safetensors", "config.json", "system.json", "training.tsv", "training.svg"}
    assert not [one for one in names if one.endswith((".bin", ".pt", ".pkl"))]
    written = generate(found.system, DEVELOPMENT.sources)
    assert [one.topic for one in written] == ["d0000", "d0001", "d0002"]
    again = generate(load(tmp_path / "model"), DEVELOPMENT.sources)
    assert again == written
    assert any(any(one.sentences) for one in written)


class Killed(BaseException):
    pass


@pytest.mark.parametrize("after", [2, 3, 4])  # amid a pass, at its end, and amid the next
def test_a_killed_training_goes_on_with_the_same_losses(after, tmp_path, monkeypatch):
    whole, _ = trained("tdsum", tmp_path / "whole")
    update = training._Run._one_update

    def killed(self, batches):
        if self.update == after:
            raise Killed
        return update(self, batches)

    monkeypatch.setattr(training._Run, "_one_update", killed)
    with pytest.raises(Killed):
        trained("tdsum", tmp_path / "model")
    monkeypatch.setattr(training._Run, "_one_update", update)
    assert not (tmp_path / "model").exists()
    found, lines = trained("tdsum", tmp_path / "model")
    assert lines[0] == f"Training goes on after update {after} of 6."
    assert losses(found) == losses(whole)
    assert [row.score for row in found.rows] == [row.score for row in whole.rows]
    one, two = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "model"))
    assert one == two


def test_a_checkpoint_of_other_settings_is_not_gone_on_from(tmp_path, monkeypatch):
    monkeypatch.setattr(training._Run, "finish", lambda self: (_ for _ in ()).throw(Killed()))
    with pytest.raises(Killed):
        trained("bart", tmp_path / "model")
    monkeypatch.undo()
    found, lines = trained("bart", tmp_path / "model", seed=5)
    assert lines[0] == "The checkpoint is of other settings or data. Training begins from the start."
    assert len(found.rows) == 6


def test_accumulated_batches_train_as_one_batch(tmp_path, monkeypatch):
    """Without dropout and with summaries of one length, two batches of 2 have the mean loss of one of 4."""
    monkeypatch.setattr(torch.nn.functional, "dropout", lambda states, *other, **more: states)
    alike = Topics.collect(
        TRAINING.sources, [Reference(one.topic, "A", ("we study it.",)) for one in TRAINING.sources]
    )
    runs = []
    for batch, accumulation in ((4, 1), (2, 2)):
        settings = settings_of({**SMALL, "epochs": 1, "batch": batch, "accumulation": accumulation})
        out = tmp_path / f"{batch}-{accumulation}"
        work = tmp_path / f"{batch}-{accumulation}.training"
        runs.append(losses(train("bart", settings, alike, alike, out, work=work, say=lambda line: None)))
    whole, halves = runs
    assert halves == pytest.approx(whole, rel=1e-4) and len(whole) == 3
    assert whole[0] > whole[2] * 1.01  # it learns, so the losses after the first depend on the gradients


@pytest.mark.parametrize(
    ("scores", "settings", "passes"),
    [
        ([0.1, 0.3, 0.2, 0.3, 0.9], {}, 4),  # passes 3 and 4 are no better; .9 is never reached
        ([0.5, 0.2, 0.3, 0.4], {"select": "JS-ref-1"}, 4),  # the lowest is the best, in pass 2 alone
        ([math.nan, 0.1, math.nan], {"epochs": 3}, 3),  # no score is no better than a score
    ],
)
def test_training_stops_when_the_score_gets_no_better(tmp_path, monkeypatch, scores, settings, passes):
    left = iter(scores)
    monkeypatch.setattr(training._Run, "_scores", lambda self: iter([next(left)]))
    settings = {"epochs": 9, "patience": 2, "select": "ROUGE-1-F", **settings}
    found, lines = trained("bart", tmp_path / "model", **settings)
    assert found.best == 2 and len(lines) == passes
    assert lines[1].endswith(f"{settings['select']} {scores[1]:.4f}")  # the log has the score as it is
    rows = [row.split("\t") for row in (tmp_path / "model/training.tsv").read_text().splitlines()]
    assert rows[0] == ["update", "pass", "loss", settings["select"], "seconds"]
    assert [row[3] for row in rows[1:] if row[3]] == [f"{score:.5f}" for score in scores[:passes]]


def test_a_metric_without_a_score_on_the_development_data_is_refused_before_training(tmp_path):
    """No title and one reference: no topic has a keyword."""
    untitled = Topics.collect(
        [replace(one, title="") for one in DEVELOPMENT.sources], all_references(DEVELOPMENT)
    )
    settings = settings_of({**SMALL, "select": "ROUGE-K"})
    with pytest.raises(InputError, match="select is ROUGE-K.* the references have no keyword"):
        train("bart", settings, TRAINING, untitled, tmp_path / "model", work=tmp_path / "work")
    assert not list(tmp_path.iterdir())


def test_mixed_precision_trains_on_a_processor(tmp_path):
    """bfloat16 has 8 bits: its losses are near those of float32, and not the same."""
    whole, _ = trained("tdsum", tmp_path / "no", epochs=1)
    mixed, _ = trained("tdsum", tmp_path / "bf16", epochs=1, precision="bf16")
    assert losses(mixed) != losses(whole)
    assert losses(mixed) == pytest.approx(losses(whole), rel=0.02)


def test_the_learning_rate_rises_and_falls():
    settings = settings_of({"learning_rate": 0.1, "warmup": 0.2})
    found = [learning_rate(update, 10, settings) for update in range(1, 11)]
    assert found == pytest.approx([0.05, 0.1, 0.1, 0.0875, 0.075, 0.0625, 0.05, 0.0375, 0.025, 0.0125])


def test_presumm_learns_the_sentences_that_raise_rouge():
    sentences = ("Fish swim.", "Cells divide fast.", "The kinase binds p53.", "Fish swim.")
    assert label_sentences(sentences, "The kinase binds p53. Cells divide fast.") == {1, 2}
    assert label_sentences(sentences, "Nothing else.") == frozenset()


def test_presumm_does_not_repeat_a_trigram():
    sentences = ["a b c d", "x a b c", "e f"]
    assert choose(sentences, [3.0, 2.0, 1.0], 2) == ["a b c d", "e f"]
    assert choose(sentences, [1.0, 2.0, 3.0], 2) == ["x a b c", "e f"]


def test_presumms_positions_are_sines_and_cosines():
    found = sinusoids(2, 4)
    assert found[0].tolist() == [0, 1, 0, 1]
    assert found[1].tolist() == pytest.approx([0.841471, 0.540302, 0.009999833, 0.99995], abs=1e-6)


def test_a_pretrained_bart_is_taken_from_its_folder(tmp_path):
    tiny = begin("bart", settings_of(SMALL), TRAINING.examples())
    tiny.model.save_pretrained(tmp_path / "bart")
    tiny.tokenizer.save_pretrained(tmp_path / "bart")
    found = begin("tdsum", settings_of({**SMALL, "model": str(tmp_path / "bart")}), TRAINING.examples())
    shared = tiny.model.state_dict()
    assert all(torch.equal(found.model.state_dict()[name], one) for name, one in shared.items())
    with pytest.raises(InputError, match="guided.model: .* cannot be read"):
        begin("bart", settings_of({**SMALL, "model": str(tmp_path)}), TRAINING.examples())


def test_a_model_of_another_type_is_refused_before_training(tmp_path):
    """transformers would read both: it takes what fits, and draws the rest."""
    from transformers import BertModel

    tiny = begin("bart", settings_of(SMALL), TRAINING.examples())
    bart, bert = tmp_path / "bart", tmp_path / "bert"
    for folder, model in ((bart, tiny.model), (bert, BertModel(tiny_bert(len(tiny.tokenizer))))):
        model.save_pretrained(folder)
        tiny.tokenizer.save_pretrained(folder)
    assert begin("presumm", settings_of({"encoder": str(bert)}), TRAINING.examples())
    for system, given, problem in (
        ("presumm", {"encoder": str(bart)}, "guided.encoder: .* 'bart'.* 'bert'"),
        ("rwgen", {"model": str(bert)}, "guided.model: .* 'bert'.* 'bart'"),
    ):
        with pytest.raises(InputError, match=problem):
            begin(system, settings_of(given), TRAINING.examples())
