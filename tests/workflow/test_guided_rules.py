"""The rules of systems that are trained plan without torch, and ask for what they lack before any job."""

from __future__ import annotations

import http.server
import json
import re
import threading

import pytest
from checkouts import checkout, configure, counted, planned, snakemake
from conftest import ROOT
from snakemake.cli import parse_config
from snakemake.utils import update_config

from sera.errors import InputError
from study.settings.checks import check_files, check_settings, typed
from study.settings.settings import read_config


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
    assert sorted(written) == [(f"bart_{n}", f"results/demo/summaries/bart_{n}.jsonl") for n in (1, 2, 3)]
    assert (
        "python3 -m sera.cli score --metrics BERTScore-P,BERTScore-R,BERTScore-F --encoder roberta-large "
        "--plain-names --candidates - --references results/demo/references.jsonl "
        "--out results/demo/scores/encoder.tsv --signatures results/demo/scores/encoder.signatures.tsv"
        in " ".join(said.split())
    )


def test_no_job_of_theirs_is_planned_unless_asked_for(study):
    others = {"split_topics", "train_guided", "generate_guided", "ask_language_model", "score_bert"}
    assert not planned(study) & others


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (
            ["guided={settings: {epoch: 2}}"],
            "config: guided.settings: guided has no setting 'epoch'. Did you mean epochs?",
        ),
        (["guided={settings: {epochs: 0}}"], "config: guided.settings: "),
        (["guided={folds: 1}"], "config: guided.folds: 1 is not a whole number of at least 2"),
        (
            ["language_models={tdsum: m}"],
            "config: language_models.tdsum: the name is taken. Give another one.",
        ),
        (
            ["guided={seeds: 2}", "language_models={bart_2: m}"],
            "config: language_models.bart_2: the name is taken.",
        ),
        (
            ["language_models={llama: {prompt: Sum up}}"],
            "config: language_models.llama.model: is missing. Give the name of a model.",
        ),
        (
            ["language_models={llama: {model: m, promt: Sum up}}"],
            "config: language_models.llama.promt: there is no such setting",
        ),
        (
            ["language_models={llama: {model: m, sentences: 0}}"],
            "config: language_models.llama.sentences: 0 is not a whole number of at least 1",
        ),
        (
            ["language_models={llama: 7}"],
            "config: language_models.llama: 7 is not the name of a model or its settings",
        ),
        (
            ["guided={settings: {select: SERA-5}}"],
            "config: guided.settings: select is SERA-5, which needs rankings. Choose a metric that reads",
        ),
        (["systems=[tdsom,lexrank]"], "Did you mean 'tdsum'?"),
        (
            ["encoder=mine/bert"],
            "config: encoder: the best layer of 'mine/bert' is not known. Name a layer: metrics: {BERTScore:",
        ),
        (["encoder=/no/such/roberta-large"], "config: encoder: there is no folder /no/such/roberta-large."),
        (
            ["encoder=roberta-large", "metrics={BERTScore: {layers: 9}}"],
            "config: metrics.BERTScore: BERTScore has no setting 'layers'. Did you mean layer?",
        ),
    ],
)
def test_wrong_settings_are_told(settings, problem):
    config = read_config(ROOT / "config.yaml")
    update_config(config, {name: typed(value) for name, value in parse_config(settings).items()})
    with pytest.raises(InputError, match=re.escape(problem)):
        check_settings(config, ROOT / "schemas/config.schema.yaml")
        check_files(config)


@pytest.mark.parametrize("setting", ["systems=[tdsum,lexrank]", "encoder=roberta-large"])
def test_a_python_without_torch_is_refused_before_any_job(study, setting):
    run = snakemake(study, "--dry-run", "--config", setting, "guided={python: no-such-python}")
    assert run.returncode != 0
    needs = "(tdsum|encoder) needs torch and transformers, and there is no no-such-python"
    assert re.search(needs, run.stdout + run.stderr)


def test_a_language_models_answers_are_candidates(study, monkeypatch):
    """A stub on loopback; the demo's articles."""
    asked = []

    class Stub(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            data = json.dumps({"choices": [{"message": {"content": "Cells grow. They do."}}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("SERA_LLM_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("SERA_LLM_KEY", "open sesame")
    configure(study, language_models={"llama": "llama-2"})
    path = "results/demo/summaries/llama.jsonl"
    try:
        run = snakemake(study, "--", path)
        assert run.returncode == 0, run.stderr
        lines = [json.loads(line) for line in (study / path).read_text().splitlines()]
        assert {tuple(one["sentences"]) for one in lines} == {("Cells grow.",)}
        assert len(lines) == len(asked) > 0 and {one["model"] for one in asked} == {"llama-2"}
        (study / path).unlink()
        assert snakemake(study, "--", path).returncode == 0
        assert len(asked) == len(lines)  # nothing is asked twice
        own = {"model": "llama-2", "prompt": "Sum up", "input_words": 3, "output_tokens": 9, "sentences": 2}
        configure(study, language_models={"llama": own})
        assert snakemake(study, "--", path).returncode == 0
        lines = [json.loads(line) for line in (study / path).read_text().splitlines()]
        assert {tuple(one["sentences"]) for one in lines} == {("Cells grow.", "They do.")}
        (first, *_), words = asked[len(lines)]["messages"], asked[len(lines)]["max_tokens"]
        assert (
            first["content"].startswith("Sum up:\n\n") and len(first["content"].split()) == 5 and words == 9
        )
    finally:
        server.shutdown()
        server.server_close()
    files = [file for file in (study / "results").rglob("*") if file.is_file()]
    assert files and not [file for file in files if b"open sesame" in file.read_bytes()]
