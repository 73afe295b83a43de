"""The documentation's commands run and print what it says, and what it names exists."""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shlex
import subprocess
import sys
from itertools import takewhile
from pathlib import Path
from pkgutil import resolve_name

import pytest
import yaml
from commands import put_texts
from conftest import ROOT
from pages import blocks, put_readme_files, run_block
from snakemake.cli import parse_config
from snakemake.utils import update_config

import sera
from sera.benchmarks import BENCHMARKS, resolve
from sera.evaluation.tables import CAPTIONS
from sera.io.records import Candidate, Reference
from sera.metrics import FAMILIES
from sera_guided import GUIDED
from study.settings.checks import check_settings, read_types
from study.settings.settings import read_config

DOCS = ROOT / "docs"
PARTS = [ROOT / name / "README.md" for name in ("results", "tests/originals", "plugins/sera-guided")]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PARTS, *sorted(DOCS.glob("*.md"))]

PRINTED = {
    "README.md": [
        # four of the summary's five words are four of the reference's ten
        "storm\tshort\tROUGE-1-F\t0.53333\n",
        "mine is ahead of ROUGE-1-F by 0.30 in ranking 5 systems (+0.00 to +1.88, p = 1.000): "
        "not significant.\n",
    ],
    "cluster.md": [
        # three of five words
        "a ROUGE-1 Average_R: 0.60000 (95%-conf.int. 0.60000 - 0.60000)",
    ],
    "metrics.md": [
        "mine ROUGE-1(stem=true) Average_F: 0.66667 (95%-conf.int. 0.66667 - 0.66667)",
        # (deep neural networks) and (art), which "party" is not
        "t\tmine\tROUGE-K\t0.5",
        "t\tlead\tMOULIN-ROUGE\t0.0\n",
        # sentences of 6, 5 and 3 words, all copied; the last one is too short for a phrase
        "t\tlead\t2\t6\t3\t3\t1.0\t11\t14\n",
        "t\tmine\t0\t0\t0\t2\t0.0\t0\t6\n",
        # kinase, phosphorylates and p53 are half of "A kinase phosphorylates p53 in cells"
        "t1\tgood\tROUGE-WE-1-R\t0.5",
        # "fed" stands for "ate": all three words of the reference
        "t2\tgood\tROUGE-WE-1-R\t1.0",
        "t\tmine\tJudge(model=qwen2.5-7b,question=consistency)\t4.0\n",  # as the stub says
    ],
    "functions.md": [],
    "multiverse.md": [],
    "own-data.md": [
        # my_metric has the order lead, short, copy, wrong: ρ is 1 - 6 * (1 + 1) / 60; that of ROUGE-L-F is 1
        "my_metric is behind ROUGE-L-F by 0.20 in ranking 4 systems (−2.00 to +0.00, p = 0.500): not sig",
        "t1\tmine\tROUGE-2-F(stem=true,stop=true)\t0.53333",
        # the, kinase and p53 of six words, and all three of the other reference
        "1\tshort\tROUGE-1-R\t0.66667",
        "The kinase phosphorylates p53 in human cells.",
        # haus and arzt retrieve a alone; haus and arzt are half of das haus des arzt
        "t\ts\tSERA-1(language=de)\t1.0",
        "t\ts\tROUGE-1-R(stem=true,language=de)\t0.5",
    ],
    "papers.md": [],
    "plugins.md": [],
    "summarizers.md": ["The kinase phosphorylates p53 in human cells.", "('Häuser, Häuser!',)\n"],
}
"""Pages that run from top to bottom, and parts of what they print, worked out by hand."""


@pytest.mark.parametrize("name", PRINTED)
def test_a_page_runs_and_prints_what_it_says(name, tmp_path, monkeypatch, language_model):
    page = ROOT / name if name == "README.md" else DOCS / name
    text = page.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # a page imports a module of the user's
    monkeypatch.setattr(FAMILIES, "added", dict(FAMILIES.added))  # a page adds a metric to the process
    if name == "cluster.md":  # the rest needs a cluster
        text = text.partition("\n## Many summaries\n")[2].partition("\n## ")[0]
    if name == "metrics.md":
        monkeypatch.setenv("SERA_LLM_URL", language_model.address)
        language_model.tell = lambda prompt: "Score: 4"
        candidate, reference = Candidate("t", "mine", ("a b c",)), Reference("t", "A", ("a b d",))
        put_texts(tmp_path, candidates=[candidate], references=[reference])
    if name == "README.md":
        put_readme_files(tmp_path)
        Path(".venv").symlink_to(Path(sys.executable).parent.parent)
        text = re.sub(r"```bash\nmake .*?```", "", text, flags=re.DOTALL)
    Path("page.md").write_text(text, encoding="utf-8")
    printed, names = "", {"__name__": "__main__"}
    for language, block in blocks(Path("page.md")):
        output = run_block(language, block, names)
        printed += output
        if language == "python" and (expected := re.findall(r"^print\(.*\)  # (.*)$", block, re.MULTILINE)):
            assert [line for line in output.splitlines() if line in expected] == expected
    printed += "".join(path.read_text() for path in tmp_path.glob("scores.tsv"))
    for part in PRINTED[name]:
        assert part in printed


def test_the_version_stands_in_one_place():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"]
    assert cited == sera.__version__
    assert f"## {cited}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_paths_exist(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (page.parent / target).exists(), target
    for path in re.findall(r"`((?:sera|study|rules|scripts|docs|envs|schemas|tests|bench)/[\w./]+)`", text):
        assert (ROOT / path).exists(), path


ENTRY_POINTS = {"sera.encoders", "sera.engines", "sera.guided"}  # groups of plug-ins, not modules


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
    in_file = r"((?:`[\w.]+`(?:,? and|,)?\s+)+)in\s+`((?:sera|study)/[\w/]+)\.py"
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
    named = {(str(path.relative_to(ROOT)), name) for path, text in texts.items() for name in named_code(text)}
    assert ("docs/papers.md", "sera.metrics.sera.overlap") in named
    assert [(path, name) for path, name in named if not exists(name)] == []


@pytest.mark.parametrize(
    ("page", "cells"),
    [("docs/cluster.md", r"^\| (`.+?) \| [\d-]"), ("results/README.md", r"^\| `.*\| (.*) \|$")],
)
def test_rules_that_a_table_names_exist(page, cells):
    texts = re.findall(cells, (ROOT / page).read_text("utf-8"), re.MULTILINE)
    named = {name for text in texts for name in re.findall(r"`(\w+)`", text)}
    rules = "".join(path.read_text("utf-8") for path in (ROOT / "rules").glob("*.smk"))
    there = re.findall(r"^ *(?:rule|checkpoint|use rule \w+ as) (\w+)(?: with)?:", rules, re.MULTILINE)
    assert len(named) > 10 and named <= {*there}, named - {*there}


def check_make(words):
    """Make has these targets and variables, and a study these settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "-n", "-o", ".venv/ready", "-o", ".venv/ready-test", *words]
    run = subprocess.run(command, cwd=ROOT, env=kept, capture_output=True, text=True)
    assert run.returncode == 0, (words, run.stderr)
    given = dict(word.split("=", 1) for word in words if "=" in word)
    config = read_config(ROOT / "config.yaml")
    if not (benchmark := given.get("BENCHMARK", "demo")).startswith("my_"):  # a folder of a user's own
        resolve(benchmark)
    settings = given.get("CONFIG", "").replace("models/minilm", "roberta-large")  # `make neural` writes it
    update_config(config, read_types(parse_config(settings.split())))
    check_settings(config, ROOT / "schemas/config.schema.yaml")
    trained = {*GUIDED} & {*config["systems"]}  # without a model, a tiny one is trained
    needed = {"encoder" if name == "presumm" else "model" for name in trained}
    assert needed <= config["guided"]["settings"].keys(), words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_bash_and_make_accept_the_commands(page):
    text = page.read_text(encoding="utf-8")
    lines = []
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if language in ("bash", "sh"):
            subprocess.run(["bash", "-n", "-c", re.sub("<(address|clone)>", "it", block)], check=True)
        lines += re.findall("^(?:make|sbatch) .*", block.replace("\\\n", " "), re.MULTILINE)
    lines += re.findall("`((?:make|sbatch) [^`]*)`", text)
    commands = [shlex.split(line.replace("...", ""), comments=True) for line in lines]
    for words in commands:
        if "make" in words and "conda" not in words:
            check_make(list(takewhile("&&".__ne__, words[words.index("make") + 1 :])))
        if "sbatch" in words and words[1:]:
            assert (ROOT / next(word for word in words[1:] if word[0] != "-")).is_file()


def test_each_row_of_the_page_on_papers_has_a_command_or_a_reason():
    rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "rules").glob("*.smk"))
    sections = [
        part for part in (DOCS / "papers.md").read_text("utf-8").split("\n## ") if "| item | here |" in part
    ]
    lines = [line for part in sections for line in part.splitlines() if line.startswith("| ")]
    rows = [line.strip("| ").split(" | ") for line in lines if not line.startswith(("| --", "| item"))]
    for item, here, last in rows:
        for kind, name in re.findall(r"`(tables|figures)/(\w+)`", here):
            assert name in CAPTIONS, (kind, name)
        texts = re.findall(r"`([^`]+)`", last)
        for text in texts:
            words = shlex.split(text)
            if words[0] == "make":
                check_make(words[1:])
            elif words[0] == ".venv/bin/snakemake":
                assert re.search(rf"^rule {words[-1]}:", rules, re.MULTILINE), text
            elif words[:2] == ["python", "-c"]:
                run = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, check=True)
                (number,) = re.findall(r"\d*\.\d+", item)
                assert round(float(run.stdout), 3) == float(number), item
        reasons = ("not published", "never made", "no number of it is printed")
        assert texts or last in [f"No command: {reason}" for reason in reasons], item


XSUM = {
    "1": ("Flood in Hull", "A flood hit Hull.", "Rain fell for days. The river rose.\nHull was under water."),
    "2": ("Film", "A film won.", "The film is new."),
    "3": ("No text", "Gone.", ""),
}
"""Title, first sentence and the rest of made articles."""


def test_the_recipe_for_xsum_makes_folders_that_a_study_reads(tmp_path):
    articles = tmp_path / "xsum/bbc-summary-data"
    articles.mkdir(parents=True)
    for topic, texts in XSUM.items():
        parts = zip(("URL", "TITLE", "FIRST-SENTENCE", "RESTBODY"), ("http://bbc", *texts), strict=True)
        text = "".join(f"[SN]{part}[SN]\n{content}\n\n" for part, content in parts)
        (articles / f"{topic}.summary").write_text(text, encoding="utf-8")
    splits = {"test": ["1", "3", "missing"], "validation": ["2"], "train": ["2"]}
    (tmp_path / "xsum/XSum-TRAINING-DEV-TEST-SPLIT-90-5-5.json").write_text(json.dumps(splits))
    subprocess.run([sys.executable, ROOT / "examples/convert_xsum.py", "xsum"], cwd=tmp_path, check=True)
    (topic,) = BENCHMARKS.load("folder").read(release=tmp_path / "my_xsum")
    assert (topic.id, topic.source.title) == ("1", "Flood in Hull")
    assert topic.source.sections[0].sentences == (
        "Rain fell for days.", "The river rose.", "Hull was under water.",
    )  # fmt: skip
    assert [each.sentences for each in topic.references] == [("A flood hit Hull.",)]
    assert [topic.id for topic in BENCHMARKS.load("folder").read(release=tmp_path / "my_xsum_dev")] == ["2"]


def test_the_page_of_functions_has_all_of_them_with_their_parameters():
    text = (DOCS / "functions.md").read_text(encoding="utf-8")
    listed = {}
    for name, signature in re.findall(r"`sera\.(\w+)\((.*?)\)`", text):
        parameters = re.sub(r"\(.*?\)", "", signature).split(",")
        names = [parameter.partition("=")[0].strip("* ") for parameter in parameters]
        listed.setdefault(name, [part for part in names if part])
    functions = [name for name in sera.__all__ if name != "__version__"]
    assert {name: [*inspect.signature(getattr(sera, name)).parameters] for name in functions} == listed
