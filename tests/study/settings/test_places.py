"""Where inputs and results lie."""

from __future__ import annotations

import pytest

from sera.errors import InputError
from study.settings.places import check_places, check_results, check_text, is_inside


def test_folders_are_the_same_however_they_are_spelt(tmp_path):
    (tmp_path / "data/mine").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(tmp_path / "data")
    assert is_inside(f"{tmp_path}/alias/mine", f"{tmp_path}/data/./mine/")
    assert is_inside(f"{tmp_path}/alias/mine/new/deep", f"{tmp_path}/data/../data/mine/new")
    assert not is_inside(f"{tmp_path}/data/mine", f"{tmp_path}/data/mine/new")
    assert not is_inside(f"{tmp_path}/data/mine2", f"{tmp_path}/data/mine")


@pytest.mark.parametrize(
    ("out", "given", "setting"),
    [
        ("data/mine", "alias/mine", "benchmark"),
        ("data/mine/out", "alias/mine", "tac2014"),
        ("data", "alias/mine", "pyramids"),
        ("data/out", "data/out/vectors.txt", "vectors"),
        ("data/out", "data/out/summaries/x.jsonl", "candidates.x"),
    ],
)
def test_inputs_and_results_do_not_meet(tmp_path, out, given, setting):
    (tmp_path / "data/mine").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(tmp_path / "data")
    with pytest.raises(
        InputError, match=f"which is the setting {setting}. Name another folder for the results"
    ):
        check_places(
            str(tmp_path / "code"),
            {"x": f"{tmp_path}/{out}"},
            {setting: f"{tmp_path}/{given}"},
        )


def test_another_studys_results_may_be_an_input(tmp_path):
    outs, root = {"demo": f"{tmp_path}/results/demo"}, str(tmp_path / "code")
    check_places(root, outs, {"candidates.x": f"{tmp_path}/results/other/x.jsonl"})
    check_places(root, outs, {"pmc_oa": f"{tmp_path}/results/other/pmc"})
    (tmp_path / "code/sera").mkdir(parents=True)
    with pytest.raises(InputError, match="which is the code's sera"):
        check_places(root, {"sera": f"{root}/sera"}, {})


@pytest.mark.parametrize("path", ["a{x}b", "a<b>", "a\nb"])
def test_paths_that_cannot_be_are_rejected(path):
    with pytest.raises(InputError, match="config: results: .* has a meaning"):
        check_text("config: results", path)
    check_text("config: results", "a b$c#d'e\"f\\g-=*<>")


def test_results_below_a_file_are_rejected(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="results cannot be written there: .*file is a file"):
        check_results(str(tmp_path / "file/x"))
    check_results(str(tmp_path / "new/deep"))
