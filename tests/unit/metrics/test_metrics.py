"""What every family of metrics has in common."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sera import __version__, metric
from sera.errors import InputError
from sera.metrics import FAMILIES, catalogue, family_of


def test_every_listed_name_selects_the_metric_that_prints_it():
    for name, description in catalogue():
        found = metric(name)
        assert (found.name, str(found)) == (name, name)
        assert found == metric(name) and hash(found) == hash(metric(name))
        assert "\n" not in description and len(description) > 10


@pytest.mark.parametrize("family", list(FAMILIES))
def test_a_family_names_its_paper_and_its_scores_show_their_settings(family):
    loaded = FAMILIES.load(family)
    assert len(loaded.citation) > 40
    shown = metric(loaded.names()[0]).signature.split("|")
    assert shown[0] == loaded.names()[0]
    assert shown[-1] == f"sera:{__version__}"
    assert all(":" in setting for setting in shown[1:])


def test_the_longest_family_name_wins():
    assert family_of("ROUGE-1-F") == "ROUGE"
    assert family_of("Pyramid") == "Pyramid"


def test_one_metric_imports_its_own_family_alone():
    code = (
        "import sys; from sera import metric; metric('ROUGE-1-F'); "
        "others = ('sera.metrics.sera', 'sera.metrics.pyramid', 'snakemake', 'sumy'); "
        "print([module for module in others if module in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_bare_string_is_one_reference():
    assert metric("ROUGE-1-R").score("cell wall", "cell wall") == 1.0
    assert metric("ROUGE-1-R").score("cell", ["cell", "wall"]) == 0.5


def test_a_setting_that_a_family_does_not_have_is_told():
    with pytest.raises(InputError, match="ROUGE-1-F: .*'stemming'"):
        metric("ROUGE-1-F", stemming=True)
    with pytest.raises(InputError, match="SERA-5: "):
        metric("SERA-5", cutoff=3)


@pytest.mark.parametrize("name", ["SERA-1\u0660", "SERA-" + "9" * 5000, "x" * 100_000])
def test_what_only_looks_like_a_metric_is_none(name):
    with pytest.raises(InputError, match="there is no metric"):
        metric(name)


def test_beta_has_a_square():
    assert metric("MOULIN-ROUGE", beta=1e6).beta == 1e6
    with pytest.raises(InputError, match="beta is 1e\\+200. Give a value above 0 and up to 1e\\+06"):
        metric("MOULIN-ROUGE", beta=1e200)
