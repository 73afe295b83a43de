"""The lines of `sera` that no other test runs: those of the pages run on small files."""

from __future__ import annotations

import json
import random
import re
import shlex
import shutil

import click
import pytest
from click.testing import CliRunner
from commands import group_of, sera
from conftest import ROOT
from releases import framenet, put

from sera_guided.cli import main as guided

LEFT_OUT = {
    "sera research ask": "a language model",
    "sera corpus download": "the archive of PubMed Central",
    "sera datasets": "the repositories of data sets",
    "--encoder": "a language model",
    "Dice": "the plug-in of the page",
    "study contexts": "the annotations of TAC 2014",
    "sera-guided": "torch",
}
"""What a line that cannot run here has, and what it needs."""

GIVEN = {
    "--metrics": "ROUGE-1-F",
    "--published": "0.5",
    "--judgements": "judgements.tsv",
    "judgements": "judgements.tsv",
    "--index": "index",
    "--out": "out",
    "scores": "scores.tsv",
}
"""What lines leave out, by required parameter; of others the file of that name."""


def lines(page, span):
    """The lines of `sera` of a page: in blocks that no other test runs, in its text by a pattern, and the
    options of a table.
    """
    text = (ROOT / "docs" / page).read_text(encoding="utf-8").replace("\\\n", " ")
    block = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
    unrun = [code for language, code in block.findall(text) if language not in ("bash", "python")]
    options = re.findall(r"^\| `(--st\w+|--[^` ]+ [^`]+)`", text, re.MULTILINE)
    return [
        *re.findall(r"^(?:\.venv/bin/)?(sera(?:-guided)? [^#\n]+)", "\n".join(unrun), re.MULTILINE),
        *re.findall(span, block.sub("", text)),
        *(f"sera score {option}" for option in options),
    ]


MENTIONED = r"`(sera [^`]+ --\w+ [^`]+)`"  # with an option and its value
LINES = list(
    dict.fromkeys(
        [
            *lines("papers.md", r"`((?:sera|sera-guided|python -m study) [^`]+)`"),
            *lines("metrics.md", MENTIONED),
            *(
                line
                for page in ("data", "guarantees", "plugins", "retrieval", "statistics")
                for line in lines(f"{page}.md", MENTIONED)
            ),
        ]
    )
)


def command_of(line):
    """The command of a line, and the words after its name."""
    program, *words = shlex.split(line.replace("python -m study", "study"))
    command = guided if program == "sera-guided" else group_of(words)
    while words and words[0] in getattr(command, "commands", ()):
        command = command.commands[words.pop(0)]
    return command, words


def complete(line):
    """The words of a line, with what its command requires and the page leaves out."""
    command, given = command_of(line)
    is_bare = not given or given[0].startswith("--")  # one file may have candidates and references
    words = shlex.split(line.replace("python -m study", "study"))[1:]
    for each in command.get_params(click.Context(command)):
        name = each.opts[-1]
        there = name in words
        if not name.startswith("--"):  # the first words are the arguments
            there = bool(given) and not given[0].startswith("--") and bool(given.pop(0))
        if (each.required or name == "references" and is_bare) and not there:
            value = GIVEN.get(name, f"{name.removeprefix('--')}.jsonl")
            words += [name, value] if name.startswith("--") else [value]
    return words


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a small file of each name on the pages."""
    folder = tmp_path_factory.mktemp("pages")
    said = "the police killed a gunman deep neural networks learn words that die kinase protein".split()
    draw = random.Random(1)

    def text():
        return [" ".join(draw.choices(said, k=12)).capitalize() + "." for _ in range(4)]

    files = {name: [] for name in ("candidates", "references", "sources", "citances", "nuggets")}
    judged = ["topic\tsystem\tjudgement\tscore"]
    for topic in ("t1", "t2", "t3", "t4"):
        sections = [{"title": "Introduction", "sentences": text() + text()}]
        files["sources"].append({"topic": topic, "id": topic, "title": text()[0], "sections": sections})
        for name in "AB":
            files["references"].append({"topic": topic, "annotator": name, "sentences": text()})
            files["nuggets"].append({"topic": topic, "annotator": name, "text": text()[0]})
            files["citances"].append({"topic": topic, "citing": name, "text": text()[0]})
        for number in range(4):
            files["candidates"].append({"topic": topic, "system": f"s{number}", "sentences": text()})
            judged.append(f"{topic}\ts{number}\tresponsiveness\t{number + draw.random()}")
    files["documents"] = files["queries"] = [{"id": f"d{number}", "text": text()[0]} for number in range(30)]
    for name, records in files.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    (folder / "FILE").write_text("the\n")
    (folder / "judgements.tsv").write_text("\n".join(judged) + "\n")
    vectors = "".join(f"{word} {draw.random()} {draw.random()}\n" for word in dict.fromkeys(said))
    for name in ("vectors.txt", "deps.words", "german.vec"):
        (folder / name).write_text(vectors)
    (folder / "results/tac2014").mkdir(parents=True)
    (folder / "results/tac2014/correlations.tsv").write_text(
        "metric\tagainst\tpearson\tspearman\tkendall\nSERA-5\tPyramid\t0.5\t0.5\t0.5\n"
    )
    put(folder / "fndata-1.7", framenet({"Killing": [("kill.v", 3)]}))
    (folder / "resources").symlink_to(ROOT / "resources")
    (folder / "results/nist").symlink_to("..")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        sera("index", "build", "--documents", "documents.jsonl", "--out", "index")
        texts = ("candidates.jsonl", "references.jsonl")
        sera("score", *texts, "--metrics", "ROUGE-1-F,ROUGE-2-F", "--out", "scores.tsv")
        shutil.copy("scores.tsv", "rouge.tsv")
    return folder


LEFT = [line for line in LINES if any(part in line for part in LEFT_OUT)]


@pytest.mark.parametrize("line", [line for line in LINES if line not in LEFT])
def test_a_line_of_the_pages_runs(line, folder, monkeypatch, tmp_path):
    monkeypatch.chdir(shutil.copytree(folder, tmp_path, symlinks=True, dirs_exist_ok=True))
    done = CliRunner().invoke(group_of(complete(line)), complete(line))
    assert done.exit_code == 0, done.output


NAMING = "*.md *.yaml Makefile */*.md */*.yaml bench/*.py resources/*/*.md rules/* .github/*/*.yml".split()
NAMING += [f"{folder}/**/*.py" for folder in ("sera", "study", "plugins/sera-guided/sera_guided")]
PROGRAMS = r"(?:\.venv\S*/bin/)?((?:sera|sera-guided|python -m study) [a-z][^`\n]*)"


def test_a_command_that_any_file_names_exists_and_has_its_options():
    """In code, or at the beginning of a line; this test runs none of them."""
    wrong, number = [], 0
    for path in (path for pattern in NAMING for path in ROOT.glob(pattern) if path.name != "CHANGELOG.md"):
        text = re.sub(r"\\\n\s*", " ", path.read_text(encoding="utf-8"))
        spans = re.findall(f"`{PROGRAMS}`", text)
        for line in spans + (re.findall(f"^{PROGRAMS}", text, re.MULTILINE) if path.suffix == ".md" else []):
            command, words = command_of(re.split(r" [|>#]", line)[0])
            known = {name for each in command.get_params(click.Context(command)) for name in each.opts}
            known |= {name for each in command.params for name in each.secondary_opts}
            given = {word.partition("=")[0] for word in words if word.startswith("--")}
            wrong += [(path.name, line, name) for name in given - known]
            number += 1
    assert number > 200 and not wrong


@pytest.mark.parametrize("line", LEFT)
def test_a_line_that_cannot_run_here_has_the_options_of_its_command(line):
    command, words = command_of(line)
    command.make_parser(click.Context(command)).parse_args(words)
