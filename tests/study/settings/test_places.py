"""Where inputs and results lie."""

from __future__ import annotations

import pytest

from sera.errors import InputError
from study.settings.checks import check_places, check_text


def test_an_input_inside_the_results_is_refused(tmp_path):
    (tmp_path / "data/mine").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(tmp_path / "data")
    outs = [f"{tmp_path}/data/audit", f"{tmp_path}/data/mine"]
    check_places(outs, [f"{tmp_path}/data/other/x.jsonl", f"{tmp_path}/data/mine2"])
    for path in (f"{tmp_path}/alias/mine", f"{tmp_path}/alias/mine/x.jsonl"):
        with pytest.raises(InputError, match=f"config: results: {path} is an input, and a run would"):
            check_places(outs, [path])


@pytest.mark.parametrize("path", ["a{x}b", "a<b>", "a\nb"])
def test_paths_that_cannot_be_are_rejected(path):
    with pytest.raises(InputError, match="config: results: .* has a meaning"):
        check_text("config: results", path)
    check_text("config: results", "a b$c#d'e\"f\\g-=*<>")
