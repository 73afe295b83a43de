"""The documentation's commands run, and what it names exists."""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest
import yaml
from conftest import ROOT
from fidelity import unchecked
from pages import blocks, put_readme_files, ran
from snakemake.cli import parse_config
from snakemake.utils import update_config

import sera
from sera.benchmarks import BENCHMARKS, resolve
from sera.evaluation.tables import CAPTIONS
from sera.io import limits
from sera.metrics import is_metric
from sera.summarizers import NINE, SUMMARIZERS, parameters_of_paper
from sera_guided import GUIDED
from study.settings.checks import check_settings, typed
from study.settings.settings import read_config

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "results" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]


def test_the_page_on_own_data_runs_from_top_to_bottom(tmp_path):
    outputs = [output for _, _, output in ran(ROOT / "docs" / "own-data.md", tmp_path)]
    assert len(outputs) == 9
    assert outputs[0].startswith("0.25\n") and "ROUGE-2-F" in outputs[0]
    assert (tmp_path / "page.html").is_file()
    assert "t1\tmine\tROUGE-2-F(stem=true,stop=true)\t0.53333" in outputs[1]
    assert "2 scores of 1 system on 1 topic in sera.tsv" in outputs[2]
    assert "The kinase phosphorylates p53 in human cells." in outputs[3]
    assert "3 documents in the index" in outputs[2] and len(outputs[4].splitlines()) == 3
    assert re.search(
        r"^ *JS-2 responsiveness −0\.99\d −1\.000 −1\.000", re.sub(" +", " ", outputs[5]), re.MULTILINE
    )
    assert "| quality   | 3        | 30          | 30             | 0.344" in outputs[6]
    assert "| topics and judges |" in outputs[6]
    # haus and arzt retrieve a alone; haus and arzt of das haus des arzt
    assert "t\ts\tSERA-1(language=de)\t1.0" in outputs[8]
    assert "t\ts\tROUGE-1-R(stem=true,language=de)\t0.5" in outputs[8]


def test_the_page_on_many_summaries_runs_from_top_to_bottom(tmp_path):
    text = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(text.partition("\n## Many summaries\n")[2].partition("\n## ")[0], encoding="utf-8")
    whole, piped, parts, printed = (output for _, _, output in ran(page, tmp_path))
    assert "12 scores of 2 systems on 3 topics in scores.tsv" in whole and printed == "[0.33333]\n"
    # three of five words, all of them in order
    line, averages = piped.split("\n", 1)
    assert json.loads(line) == {"topic": "1", "system": "a", "metric": "ROUGE-1-R", "score": 0.6}
    assert "a ROUGE-1 Average_R: 0.60000 (95%-conf.int. 0.60000 - 0.60000)" in averages
    assert "a ROUGE-1 Average_R: 0.60000 (95%-conf.int. 0.60000 - 0.60000)" in parts


def test_the_page_on_metrics_prints_what_it_says(tmp_path):
    (tmp_path / "candidates.jsonl").write_text('{"topic": "t", "system": "mine", "sentences": ["a b c"]}\n')
    (tmp_path / "references.jsonl").write_text('{"topic": "t", "annotator": "A", "sentences": ["a b d"]}\n')
    commands, told = [], []
    for language, text, output in ran(ROOT / "docs" / "metrics.md", tmp_path):
        if language == "python":
            expected = re.findall(r"^print\(.*\)  # (.*)$", text, re.MULTILINE)
            assert output.splitlines() == expected
            told += expected
        else:
            commands.append(output)
    assert len(told) == 27
    rouge, keywords, tables, moulin_rouge, s3, learnt, released, samples = commands
    assert "mine ROUGE-1(stem=true) Average_F: 0.66667 (95%-conf.int. 0.66667 - 0.66667)" in rouge
    # (deep neural networks) and (art), which "party" is not; (networks) and (make), twice in the topic each
    assert "t\tmine\tROUGE-K\t0.5" in keywords and "t\tmine\tROUGE-K-TFIDF\t1.0" in keywords
    # the one preference is for the summary with a keyword; by TF-IDF both have all
    assert "10 tables of 2 systems in tables" in tables
    assert re.search(r"^\| ROUGE-K +\| 1\.000 +\| 1 +\| 0 +\| 0 ", tables, re.MULTILINE)
    # "art" is one of the two keywords of the one topic
    assert re.search(r"^\| ROUGE-K +\| 1\.000 +\| 0\.500 +\| 2 +\| 1 +\|", tables, re.MULTILINE)
    found = dict(re.findall(r"^t\t(\w+\tMOULIN-ROUGE\S*)\t(\S+)$", moulin_rouge, re.MULTILINE))
    assert found["lead\tMOULIN-ROUGE-Abstraction"] == found["lead\tMOULIN-ROUGE"] == "0.0"
    # 10 pairs in common, of 15 and of 10; both 5-grams are new, and 3 of 4 words
    assert float(found["mine\tMOULIN-ROUGE-Content"]) == pytest.approx(0.8)
    assert float(found["mine\tMOULIN-ROUGE-Abstraction"]) == pytest.approx(6 / 7)
    assert float(found["mine\tMOULIN-ROUGE"]) == pytest.approx(24 / 29)
    # sentences of 6, 5 and 3 words, all copied; the last one is too short for a phrase
    assert "t\tlead\t2\t6\t3\t3\t1.0\t11\t14\n" in moulin_rouge
    assert "t\tmine\t0\t0\t0\t2\t0.0\t0\t6\n" in moulin_rouge
    assert "S3-best of 6 features, trained on 4 summaries of 2 topics, in model.json" in s3
    # kinase, phosphorylates and p53 are said; of "A kinase phosphorylates p53 in cells" that is half
    assert "t1\tgood\tROUGE-WE-1-R\t0.5" in s3
    # "fed" goes for "ate": all three words of the reference
    assert "t2\tgood\tROUGE-WE-1-R\t1.0" in s3
    assert "in learnt.npz" in learnt
    # the kinase sentence shares most with its reference; the caution on word vectors stands beside each score
    rows = [line.split("\t") for line in released.splitlines() if line.startswith("t1\t")]
    assert [row[1:3] for row in rows[:4]] == [
        [system, f"S3-{kind}-released"] for system in ("good", "bad") for kind in ("pyr", "resp")
    ]
    assert float(rows[0][3]) > float(rows[2][3]) and "deps.words" in rows[0][4]
    assert "t1\tgood\tS3-pyr-released(language=de)\t" in released and "of the DBS corpus" in released
    # from the reference's words to none of them
    sampled = [json.loads(line) for line in samples.splitlines() if line.startswith('{"topic": "t1"')]
    assert sampled[0]["sentences"] == ["The kinase phosphorylates p53.", "Fish swim."]
    assert [each["system"] for each in sampled] == [f"sample_0{place}" for place in range(1, 5)]
    assert "8 summaries of 2 topics in samples.jsonl" in samples
    assert re.search(r"^ROUGE-1-R\tfitness\t0\.98", samples, re.MULTILINE)


def test_the_page_on_summarizers_runs(tmp_path):
    outputs = [output for _, _, output in ran(ROOT / "docs" / "summarizers.md", tmp_path)]
    assert "The kinase phosphorylates p53 in human cells." in outputs[0]
    assert outputs[1].startswith("(") and len(outputs) == 3
    assert outputs[2] == "('Häuser, Häuser!',)\n"


def test_the_page_on_summarizers_names_every_system_and_parameter():
    text = (ROOT / "docs" / "summarizers.md").read_text(encoding="utf-8")
    assert '`language="de"` in Python' in text  # of all but two: no row names it
    for name in NINE:
        row = next(line for line in text.splitlines() if line.startswith(f"| `{name}` |"))
        for parameter in inspect.signature(SUMMARIZERS.load(name)).parameters:
            assert parameter in row or parameter in ("seed", "language"), (name, parameter)
        of_paper = ", ".join(
            f'{key}="{value}"' if isinstance(value, str) else f"{key}={value:g}"
            for key, value in parameters_of_paper(name).items()
        )
        shown = row.split("|")[-2].strip().strip("`").replace("`, `", ", ").replace("1e-6", "1e-06")
        assert shown.replace("none", "") == of_paper, name


def test_the_readmes_python_and_commands_run(tmp_path):
    put_readme_files(tmp_path)
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parent.parent)
    page = tmp_path / "page.md"
    own = [(language, text) for language, text in blocks(ROOT / "README.md") if "make " not in text]
    page.write_text("".join(f"```{language}\n{text}```\n" for language, text in own))
    outputs = {language: (text, printed) for language, text, printed in ran(page, tmp_path)}
    # one bigram, the kinase, of the candidate's 3 and of the reference's 5: 2 * (1/3) * (1/5) / (1/3 + 1/5)
    text, printed = outputs["python"]
    assert printed == "0.25\n" and text.endswith("# 0.25\n")
    table = (tmp_path / "scores.tsv").read_text()
    assert "t\ts\tROUGE-2-F\t0.25\n" in table
    assert (tmp_path / "report.html").stat().st_size > 10_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_paths_exist(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (page.parent / target).exists(), target
    for path in re.findall(r"`((?:sera|rules|scripts|docs|envs|schemas|tests)/[\w./]+)`", text):
        assert (ROOT / path).exists(), path


ENTRY_POINTS = {"sera.engines", "sera.guided"}  # groups of plug-ins, not modules


def exists(name):
    """Whether a dotted name can be imported, as a module or as an attribute of one."""
    try:
        resolve_name(name)
    except (AttributeError, ImportError):
        return name in ENTRY_POINTS
    return True


def named_code(text):
    """The dotted names of a text, and each `` `name` in `path` `` as a dotted name."""
    yield from re.findall(r"`((?:sera|study|sera_guided)(?:\.\w+)+)", text)
    in_file = r"((?:`[\w.]+`(?:,? and|,)?\s+)+)in\s+(?:`|\[[^]]*\]\([./]*)((?:sera|study)/[\w/]+)\.py"
    for names, path in re.findall(in_file, text):
        module = path.replace("/", ".").removesuffix(".__init__")
        yield from (f"{module}.{name}" for name in re.findall(r"`([\w.]+)`", names))


def docstrings(path):
    """The docstrings of a module and of its constants, classes and functions."""
    statements = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Expr))
    values = (statement.value for statement in statements)
    return "\n".join(str(value.value) for value in values if isinstance(value, ast.Constant))


def test_code_that_pages_and_docstrings_name_exists():
    texts = {page: page.read_text("utf-8") for page in PAGES}
    for folder in ("sera", "study", "plugins/sera-guided/sera_guided"):
        texts |= {path: docstrings(path) for path in (ROOT / folder).rglob("*.py")}
    named = {(path.relative_to(ROOT), name) for path, text in texts.items() for name in named_code(text)}
    assert {name for _, name in named} > {"sera.metrics.sera.overlap", "sera.names.check"}
    assert [(str(path), name) for path, name in named if not exists(name)] == []


def test_the_page_on_guarantees_has_every_limit():
    page = (ROOT / "docs/guarantees.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (a.+|the .+) \| ([0-9,]+) (\w+) \| (?:`(SERA_\w+)`)? *\|$", page, re.MULTILINE)
    assert rows == [(each.what, f"{each.usual:,}", each.unit, each.variable) for each in limits.LIMITS]


def check_make(words):
    """Make has these targets and variables, and a study these settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "-n", "-o", ".venv/ready", "-o", ".venv/ready-test", *words]
    run = subprocess.run(command, cwd=ROOT, env=kept, capture_output=True, text=True)
    assert run.returncode == 0, (words, run.stderr)
    given = dict(word.split("=", 1) for word in words if "=" in word)
    config = read_config(ROOT / "config.yaml")
    resolve(given.get("BENCHMARK", "demo"))
    update_config(config, typed(parse_config(given.get("CONFIG", "").split())))
    check_settings(config, ROOT / "schemas/config.schema.yaml")
    assert all(map(is_metric, config["compare"])), words
    if trained := {*GUIDED} & {*config["systems"]}:  # without a model, a tiny one is trained
        assert ("encoder" if trained == {"presumm"} else "model") in config["guided"]["settings"], words


@pytest.mark.parametrize("page", ["README.md", "docs/cluster.md", "docs/retrieval.md"])
def test_the_pages_have_commands_that_bash_and_make_take(page):
    """They need a cluster, a server, a network or hours."""
    texts = [text for language, text in blocks(ROOT / page) if language == "bash"]
    for text in texts:
        subprocess.run(["bash", "-n", "-c", text.replace("<address>", "address")], check=True)
    lines = [line for text in texts for line in text.replace("\\\n", " ").splitlines()]
    lines += re.findall("`((?:make|sbatch) [^`]*)`", (ROOT / page).read_text(encoding="utf-8"))
    commands = [shlex.split(line.replace("...", ""), comments=True) for line in lines]
    made = [
        words[words.index("make") + 1 :] for words in commands if "make" in words and "conda" not in words
    ]
    assert made
    for words in made:
        check_make(words)
    for words in commands:
        if "sbatch" in words and words[1:]:
            assert (ROOT / next(word for word in words[1:] if word[0] != "-")).is_file()


def test_the_page_on_servers_passes_the_password_in_the_environment_alone(tmp_path):
    """Its lines with programs in the place of Docker and make, which print what they are given."""
    [text] = [text for _, text in blocks(ROOT / "docs/retrieval.md") if "docker run" in text]
    given = f"#!{sys.executable}\nimport json, os, sys\nprint(json.dumps([sys.argv, dict(os.environ)]))\n"
    for name, program in {"docker": given, "make": given, "sleep": "#!/bin/sh\n"}.items():
        (tmp_path / name).write_text(program)
        (tmp_path / name).chmod(0o755)
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=tmp_path, env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        input="open sesame\n", capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    (started, by), (copied, _), (made, environment) = map(json.loads, run.stdout.splitlines())
    assert "open sesame" not in " ".join([*started, *copied, *made])
    assert by["ELASTIC_PASSWORD"] == "open sesame" and "ELASTIC_PASSWORD" in started
    assert started[-1] == "elasticsearch:8.15.0" and "127.0.0.1:9200:9200" in started
    assert copied[-2].endswith("/http_ca.crt")
    variables = {name: value for name, value in environment.items() if name.startswith("ELASTICSEARCH_")}
    assert variables == {
        "ELASTICSEARCH_HOSTS": "https://localhost:9200",
        "ELASTICSEARCH_USER": "elastic",
        "ELASTICSEARCH_PASSWORD": "open sesame",
        "ELASTICSEARCH_CA": f"{tmp_path}/http_ca.crt",
    }
    assert made[1:] == ["reproduce", "CONFIG=engine=elasticsearch"]


def test_the_page_on_guarantees_names_every_metric_summarizer_and_engine():
    """A new one needs a test with the fixture `fidelity` or the mark `checked`."""
    assert unchecked((ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")) == []


def test_the_version_stands_in_one_place():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"]
    assert cited == sera.__version__
    assert f"## {cited}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


# The page on the papers
# ----------------------

NO_COMMAND = ("not published", "never made")


def check_command(text):
    words = shlex.split(text)
    if words[0] == ".venv/bin/python":
        assert (ROOT / words[1]).is_file(), text
    elif words[0] == ".venv/bin/snakemake":
        rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "rules").glob("*.smk"))
        assert re.search(rf"^rule {words[-1]}:", rules, re.MULTILINE), text
    else:
        assert words[0] == "make", text
        check_make(words[1:])


def test_each_row_of_the_page_on_papers_has_a_command_that_exists_or_a_reason():
    text = (ROOT / "docs/papers.md").read_text(encoding="utf-8")
    sections = [part for part in text.split("\n## ") if "| item | here |" in part]
    lines = [line for part in sections for line in part.splitlines() if line.startswith("| ")]
    rows = [line.strip("| ").split(" | ") for line in lines if not line.startswith(("| --", "| item"))]
    assert rows
    for row in rows:
        assert len(row) == 3 and all(row), row
        item, here, last = row
        for kind, name in re.findall(r"`(tables|figures)/(\w+)`", here):
            assert name in CAPTIONS, (kind, name)
        texts = re.findall(r"`([^`]+)`", last)
        commands = [text for text in texts if text.startswith(("make ", ".venv/bin/"))]
        run_elsewhere = [text for text in texts if re.match("sera |sera-guided |python -m study ", text)]
        in_python = [shlex.split(text)[1:] for text in texts if re.match("python (?!-m study)", text)]
        for words in in_python:
            run = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
            (number,) = re.findall(r"\d*\.\d+", item)
            assert round(float(run.stdout), 3) == float(number), row
        for text in commands:
            check_command(text)
        if not (commands or in_python or run_elsewhere):
            assert last.removeprefix("No command: ") in NO_COMMAND, row


XSUM = {
    "1": ("Flood in Hull", "A flood hit Hull.", "Rain fell for days. The river rose.\nHull was under water."),
    "2": ("Film", "A film won.", "The film is new."),
    "3": ("No text", "Gone.", ""),
}
"""Title, first sentence and the rest of made articles."""


def test_the_recipe_for_xsum_makes_folders_that_a_study_reads(tmp_path):
    (recipe,) = [text for _, text in blocks(ROOT / "docs/data.md") if "bbc-summary-data" in text]
    articles = tmp_path / "xsum/bbc-summary-data"
    articles.mkdir(parents=True)
    parts = ("URL", "TITLE", "FIRST-SENTENCE", "RESTBODY")
    for topic, texts in XSUM.items():
        lines = [
            f"[SN]{part}[SN]\n{text}\n" for part, text in zip(parts, ("http://bbc", *texts), strict=True)
        ]
        (articles / f"{topic}.summary").write_text("\n".join(lines), encoding="utf-8")
    splits = {"test": ["1", "3", "missing"], "validation": ["2"], "train": ["2"]}
    (tmp_path / "xsum/XSum-TRAINING-DEV-TEST-SPLIT-90-5-5.json").write_text(json.dumps(splits))
    subprocess.run([sys.executable, "-c", recipe], cwd=tmp_path, check=True)
    (topic,) = BENCHMARKS.load("folder").read(release=tmp_path / "my_xsum")
    assert (topic.id, topic.source.title) == ("1", "Flood in Hull")
    assert topic.source.sections[0].sentences == (
        "Rain fell for days.", "The river rose.", "Hull was under water.",
    )  # fmt: skip
    assert [each.sentences for each in topic.references] == [("A flood hit Hull.",)]
    for folder in ("my_xsum_dev", "my_xsum_train"):
        (topic,) = BENCHMARKS.load("folder").read(release=tmp_path / folder)
        assert topic.id == "2"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("plugins.md", None),
        ("papers.md", ["0.27451", "0.26087"]),  # Table 1 of ROUGE-K: 27.45 and 26.09
        ("multiverse.md", ["0.632", "0.666 0.811", "0.7 0.886", "True", "False"]),
    ],
)
def test_a_page_prints_what_it_says(page, expected, tmp_path):
    said, printed, outputs = [], [], ""
    for _, text, output in ran(ROOT / "docs" / page, tmp_path):
        outputs += output
        if "print(" in text:
            said += re.findall(r"^print\(.*\)  # (.*)$", text, re.MULTILINE)
            printed += output.splitlines()
    assert printed == said != []
    assert expected is None or printed == expected
    if page == "multiverse.md":  # the audit
        assert "\n2 of 3 rows fit some number of systems, 1 none, 0 undefined" in outputs
        assert re.search(r"^ *mine +0\.943 +0\.867 .*\n *yours +0\.841 +0\.690 ", outputs, re.MULTILINE)
        assert (tmp_path / "audit.tsv").is_file()
