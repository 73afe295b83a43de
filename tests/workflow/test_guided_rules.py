"""The rules of systems that are trained plan without torch, and ask for what they lack before any job."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from checkouts import checkout, configure, counted, planned, ran, refused, snakemake

from sera_guided.cli import main as guided


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return checkout(tmp_path_factory.mktemp("guided") / "study")


def test_every_part_of_the_topics_and_every_seed_has_its_model(study):
    """One of the settings scores by BERTScore too; the authors chose the layer of roberta-large."""
    settings = ["systems=[bart,lexrank]", "seed=7", "encoder=roberta-large"]
    settings += ["guided={python: python3, folds: 2, seeds: 3, gpus: 1}"]
    run = snakemake(study, "--dry-run", "--printshellcmds", "--config", *settings)
    jobs = {"split_topics": 2, "train_guided": 6, "generate_guided": 3, "score_bert": 1, "gather_scores": 1}
    assert jobs.items() <= counted(run).items()
    said = run.stdout + run.stderr
    trained = re.findall(r"guided train --system (\w+) .* --set seed=(\d+) .* --out (\S+)", said)
    assert sorted(trained) == sorted(
        ("bart", str(6 + number), f"results/demo/guided/{fold}/bart_{number}")
        for fold in (0, 1)
        for number in (1, 2, 3)
    )
    written = re.findall(r"guided generate .* --name (\S+) --out (\S+)", said)
    for words in map(shlex.split, re.findall(r"sera_guided ((?:train|generate) .*?) > ", said)):
        command = guided.commands[words[0]]
        given, _, _ = command.make_parser(click.Context(command)).parse_args(words[1:])
        assert {option.name for option in command.params if option.required} <= given.keys()
    assert sorted(written) == [(f"bart_{n}", f"results/demo/summaries/bart_{n}.jsonl") for n in (1, 2, 3)]


def test_the_job_of_bert_score_is_a_command_that_exists(study, tmp_path, monkeypatch):
    """It is run as printed, on one text, as far as the language model, which is not there."""
    model = tmp_path / "model"
    model.mkdir()
    settings = [f"encoder={model}", "guided={python: python3, folds: 2, seeds: 1, gpus: 1}"]
    settings += ["metrics={BERTScore: {layer: 2}}"]
    said = snakemake(study, "--dry-run", "--printshellcmds", "--config", *settings).stdout
    (words,) = map(shlex.split, re.findall(r"-m sera\.cli (score .*?) > ", said))
    monkeypatch.chdir(tmp_path)
    Path("results/demo").mkdir(parents=True)
    Path("results/demo/references.jsonl").write_text('{"topic": "t", "annotator": "A", "sentences": ["a"]}\n')
    run = subprocess.run(
        [sys.executable, "-m", "sera.cli", *words],
        input='{"topic": "t", "system": "s", "sentences": ["a"]}\n',
        text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert re.search(f"BERTScore needs torch|{model}", run.stderr) and run.returncode == 2, run.stderr


def test_no_job_of_theirs_is_planned_unless_asked_for(study):
    others = {"split_topics", "train_guided", "generate_guided", "ask_language_model", "score_bert"}
    assert not planned(study) & others


@pytest.mark.parametrize("setting", ["systems=[tdsum,lexrank]", "encoder=roberta-large"])
def test_a_python_without_torch_is_refused_before_any_job(study, setting):
    printed = refused(study, "--dry-run", "--config", setting, "guided={python: no-such-python}")
    needs = "(tdsum|encoder) needs torch and transformers, and there is no no-such-python"
    assert re.search(needs, printed)


def test_a_language_models_answers_are_candidates(study, language_model, monkeypatch):
    monkeypatch.setenv("SERA_LLM_URL", language_model.address)
    monkeypatch.setenv("SERA_LLM_KEY", "open sesame")
    path = "results/demo/summaries/llama.jsonl"

    def made(settings):
        configure(study, language_models={"llama": settings})
        ran(study, "--", path)
        return [json.loads(line)["sentences"] for line in (study / path).read_text().splitlines()]

    assert made("llama-2") == [["A cell divides."]] * 3
    (study / path).unlink()
    made("llama-2")
    asked = language_model.asked
    assert len(asked) == 3 and {body["model"] for _, _, body in asked} == {"llama-2"}  # each once
    own = {"model": "llama-2", "prompt": "Sum up", "input_words": 3, "output_tokens": 9, "sentences": 2}
    assert made(own) == [["A cell divides.", "It grows."]] * 3
    (first, *_), words = asked[3][2]["messages"], asked[3][2]["max_tokens"]
    assert first["content"].startswith("Sum up:\n\n") and len(first["content"].split()) == 5 and words == 9
    files = [file for file in (study / "results").rglob("*") if file.is_file()]
    assert files and not [file for file in files if b"open sesame" in file.read_bytes()]


def test_a_study_is_judged_by_a_language_model_if_one_is_named(study, language_model, monkeypatch):
    language_model.tell = lambda prompt: "1: yes" if "nuggets" in prompt else "Score: 4"
    monkeypatch.setenv("SERA_LLM_URL", language_model.address)
    configure(study, metrics={"Judge": {"model": "m"}}, pyramid={"recogniser": "model", "model": "m"})
    tables = [f"results/demo/scores/{family}.tsv" for family in ("Judge", "Pyramid")]
    ran(study, "--", *tables)
    judged, recognised = ((study / table).read_text().splitlines() for table in tables)
    assert {tuple(line.split("\t")[2:]) for line in judged[1:]} == {("Judge", "4.0")}
    assert {line.split("\t")[2] for line in recognised[1:]} == {"Pyramid", "Pyramid-Modified"}
    answers = (study / "results/demo/answers/answers.jsonl").read_text().splitlines()
    assert len(answers) >= len(language_model.asked) > len(judged) - 1
