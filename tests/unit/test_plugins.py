"""Metrics and summarizers by others: of installed packages, and of a notebook."""

import json
import sys

import pytest
from commands import sera as run
from plugin_package import install, install_example

import sera
from sera.benchmarks import BENCHMARKS
from sera.errors import InputError
from sera.metrics import FAMILIES, catalogue_names
from sera.retrieval.engines import ENGINES
from sera.summarizers import SUMMARIZERS
from sera.summarizers.baselines import Lead

pytestmark = pytest.mark.usefixtures("no_plugins")
REGISTRIES = (FAMILIES, SUMMARIZERS, BENCHMARKS, ENGINES)


@pytest.fixture(autouse=True)
def read_anew(monkeypatch):
    """Entry points are read in each test, and what a test adds is gone afterwards."""
    for registry in REGISTRIES:
        vars(registry).pop("installed", None)
        monkeypatch.setattr(registry, "added", {})
    yield
    for registry in REGISTRIES:
        vars(registry).pop("installed", None)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("sera_example", "others")]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    return install_example(tmp_path_factory.mktemp("target"), tmp_path_factory.mktemp("work"))


def test_the_example_package_is_found(example, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(example))
    assert [*FAMILIES][-1] == "Dice" and [*SUMMARIZERS][-1] == "last"
    assert "sera_example.dice" not in sys.modules  # not imported before it is used
    # the, kinase, p53 of 4 and of 6 words
    assert sera.metric("Dice").score("the kinase binds p53", ["p53 is bound by the kinase"]) == 0.6
    last = sera.summarize("last", ["One two.", "Three four.", "Five."], words=3)
    assert last.sentences == ("Three four.", "Five.")
    about = "Words in common with the references (Dice 1945) [sera-example 1.0.0]"
    assert FAMILIES.describe("Dice") == about
    assert FAMILIES.module("Dice") == "sera_example.dice" and FAMILIES.needs("Dice") == ()
    assert catalogue_names()[-1] == "Dice"
    assert "Dice  Words in common with the references (Dice 1945)\n" in run("metrics", "Dice")
    assert "last              Baseline: the last sentences [sera-example 1.0.0]\n" in run("summarizers")
    for name, record in {
        "c": {"topic": "t", "system": "s", "sentences": ["the kinase binds p53"]},
        "r": {"topic": "t", "annotator": "A", "sentences": ["p53 is bound by the kinase"]},
    }.items():
        (tmp_path / name).write_text(json.dumps(record) + "\n")
    files = (tmp_path / "c", tmp_path / "r", "--out", tmp_path / "scores")
    run("score", "--metrics", "Dice", *files)
    assert "t\ts\tDice\t0.6\n" in (tmp_path / "scores").read_text()


def test_a_plugin_that_fails_is_named(tmp_path, monkeypatch):
    broken = {"sera.metrics": ["Broken = others:Broken"]}
    install(tmp_path, "others", broken, others="raise RuntimeError('no GPU\\nhere')")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert sera.metric("ROUGE-1-R").score("a b", ["a c"]) == 0.5
    with pytest.raises(InputError) as raised:
        sera.metric("Broken")
    assert "Broken of the package others 1.0 cannot be used: RuntimeError: no GPU" in str(raised.value)
    assert str(raised.value).endswith("pip uninstall others")


def test_names_that_clash_are_refused(tmp_path, monkeypatch, caplog):
    install(tmp_path, "one", {"sera.metrics": ["ROUGE-2 = m:A", "Mine = m:A"]})
    install(tmp_path, "two", {"sera.metrics": ["Mine = m:B"], "sera.summarizers": ["lead = m"]})
    monkeypatch.syspath_prepend(str(tmp_path))
    assert [*SUMMARIZERS][-1] == "oracle"
    assert caplog.messages[0].startswith("lead of the package two 1.0 is left out: lead is")
    with pytest.raises(InputError, match="^two packages have a metric family Mine: one 1.0 and two 1"):
        sera.metric("Mine")


class Loud(Lead):
    """The first sentences, loudly."""

    NEEDS = ("seed",)

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__()


def test_a_part_is_registered_for_this_process():
    sera.register("summarizer", "loud", Loud)
    sera.register("summarizer", "loud", Loud)  # a notebook's cell that runs again
    assert SUMMARIZERS.needs("loud") == ("seed",)
    assert SUMMARIZERS.describe("loud") == "The first sentences, loudly [registered here]"
    assert sera.summarize("loud", ["One two.", "Three."], words=2, seed=1).sentences == ("One two.",)
