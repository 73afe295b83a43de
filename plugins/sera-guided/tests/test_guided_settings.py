"""The settings of training, and what lacks the extra; no torch is needed."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import asdict

import pytest
from conftest import ROOT

from sera.errors import InputError
from sera_guided.extras import import_needed
from sera_guided.settings import GuidedSettings, settings_of_training


def test_the_settings_are_read_as_typed():
    found = GuidedSettings.read(
        ["epochs=5", "learning_rate=1e-4", "model=facebook/bart-large", "select=ROUGE-K"]
    )
    assert (found.epochs, found.learning_rate) == (5, 1e-4)
    assert (found.model, found.select) == ("facebook/bart-large", "ROUGE-K")
    assert GuidedSettings.from_mapping(asdict(found)) == found
    assert GuidedSettings().model == "tiny"


@pytest.mark.parametrize(
    ("texts", "error"),
    [
        (["epoch=5"], "epoch"),
        (["epochs=5", "epochs=6"], "--set 'epochs=6': is not a new setting"),
        (["epochs"], "It is NAME=VALUE"),
        (["select=ROUGE-X"], "ROUGE-X"),
        (["select=SERA-5"], "select is SERA-5, which needs rankings"),
        (["least_tokens=200"], "least_tokens, 200, is above summary_tokens, 128"),
    ],
)
def test_wrong_settings_are_refused(texts, error):
    with pytest.raises(InputError, match=error):
        GuidedSettings.read(texts)


def test_a_missing_package_is_refused_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError) as caught:
        import_needed("torch", "tdsum")
    assert str(caught.value).startswith("tdsum needs torch. Install sera-guided with all")


def test_nothing_of_the_extra_is_imported_by_the_command_line():
    code = "import sys, sera.cli, sera_guided, sera_guided.settings; print('torch' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


PAGE = (ROOT / "plugins/sera-guided/README.md").read_text(encoding="utf-8")


def test_the_page_has_every_setting_with_its_default():
    section = PAGE.partition("\n## Settings of training\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([^|`]*) \| (.*) \|$", section, re.MULTILINE)
    wanted = [(one.name, str(one.default), one.help) for one in settings_of_training()]
    assert rows == [
        (name, "the study's" if name == "seed" else default, help) for name, default, help in wanted
    ]
