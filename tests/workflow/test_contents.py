"""Where inputs and results lie, what inputs hold, and whether results are still what a run wrote."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from sera.errors import InputError
from sera.io import file_state
from study.settings.places import check_places, check_text, within
from study.workflow import memory
from study.workflow.lock import check_origin, check_writable, hold, mark_origin
from study.workflow.made import Made, altered
from study.workflow.memory import Contents

OLD = time.time() - 30 * 24 * 3600


def written(path: Path, text: str, when: float = OLD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (when, when))
    return path


@pytest.fixture(autouse=True)
def settled(monkeypatch):
    """Files that a test wrote just now count as settled."""
    monkeypatch.setattr(file_state, "JUST_NOW", 0)


# What inputs hold


@pytest.mark.parametrize(
    ("change", "same"),
    [
        (lambda path: os.replace(written(path.with_name("b"), "two", OLD - 9), path), False),  # an older file
        (lambda path: written(path, "two"), False),  # of the same size and time
        (Path.touch, True),
    ],
)
def test_an_input_is_another_if_its_content_is(tmp_path, change, same):
    path = written(tmp_path / "a.jsonl", "one")
    first = Contents(str(tmp_path))
    before = first.of([path])
    first.memory.keep()
    change(path)
    assert (Contents(str(tmp_path)).of([path]) == before) is same


def test_what_is_remembered_is_not_read_again(tmp_path, monkeypatch):
    path = written(tmp_path / "a b\"c'd$.jsonl", "one")
    first = Contents(str(tmp_path))
    before = first.of([path])
    first.memory.keep()
    assert (tmp_path / ".contents.json").exists()
    monkeypatch.setattr(memory, "sha256", lambda path: pytest.fail("it was read"))
    assert Contents(str(tmp_path)).of([path]) == before


def test_what_was_changed_just_now_is_not_remembered(tmp_path, monkeypatch):
    monkeypatch.setattr(file_state, "JUST_NOW", 2 * 10**9)
    path = written(tmp_path / "a.jsonl", "one")
    first = Contents(str(tmp_path))
    first.of([path])
    first.memory.keep()
    assert not (tmp_path / ".contents.json").exists()


@pytest.mark.parametrize("text", ["", "nonsense\n", "[]", "\x00\xff\n"])
def test_a_damaged_memory_costs_time_alone(tmp_path, text):
    path = written(tmp_path / "a.jsonl", "one")
    before = Contents(str(tmp_path)).of([path])
    (tmp_path / ".contents.json").write_text(text, encoding="latin-1")
    assert Contents(str(tmp_path)).of([path]) == before


def test_a_pipe_and_a_missing_file_are_told(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe: is neither a file nor a folder"):
        Contents(str(tmp_path)).of([tmp_path / "pipe"])
    with pytest.raises(InputError, match="none: there is no such file"):
        Contents(str(tmp_path)).of([tmp_path / "none"])


# What a run wrote


def test_a_result_that_was_changed_or_cut_short_is_told(tmp_path):
    table, index = (
        written(tmp_path / "tables/t'{x}\".tsv", "a\tb\n"),
        written(tmp_path / "index/part", "p").parent,
    )
    made = Made([str(table), str(index)], str(tmp_path / "logs/rule.log"))
    made.begin()
    made.end()
    assert altered(str(tmp_path)) == []
    table.write_text("a\t")
    (fault,) = altered(str(tmp_path))
    assert fault.path == str(table) and "changed or cut short since" in str(fault)
    table.unlink()  # the run recreates it
    assert altered(str(tmp_path)) == []
    written(index / "more", "x")
    assert [each.path for each in altered(str(tmp_path))] == [str(index)]
    made.begin()  # a job is at work
    assert altered(str(tmp_path)) == []


def test_a_result_counts_as_what_the_last_job_wrote(tmp_path):
    """Another rule may make it now; the record of the first one is then out of date."""
    one, other = (written(tmp_path / name, "a\n") for name in ("one.tsv", "other.tsv"))
    Made([str(one), str(other)], str(tmp_path / "logs/first.log")).end()
    second = Made([str(other)], str(tmp_path / "logs/second.log"))
    second.begin()
    other.write_text("b\n")  # the run may be killed here
    assert altered(str(tmp_path)) == []
    second.end()
    assert altered(str(tmp_path)) == []
    other.write_text("c\n")
    assert [each.path for each in altered(str(tmp_path))] == [str(other)]


# Where they lie


def test_folders_are_the_same_however_they_are_spelt(tmp_path):
    (tmp_path / "data/mine").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(tmp_path / "data")
    assert within(f"{tmp_path}/alias/mine", f"{tmp_path}/data/./mine/")
    assert within(f"{tmp_path}/alias/mine/new/deep", f"{tmp_path}/data/../data/mine/new")
    assert not within(f"{tmp_path}/data/mine", f"{tmp_path}/data/mine/new")
    assert not within(f"{tmp_path}/data/mine2", f"{tmp_path}/data/mine")


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


@pytest.mark.parametrize(("path", "said"), [("a{x}b", "a{x}b contains '{'"), ("a\nb", "a line break")])
def test_paths_that_cannot_be_are_told(path, said):
    with pytest.raises(InputError, match=f"config: results: .*{said}"):
        check_text("config: results", path, written=True)
    check_text("config: results", "a b$c#d'e\"f\\g-=*", written=True)


def test_results_of_another_folder_are_refused(tmp_path, monkeypatch):
    for name in ("here", "elsewhere"):
        (tmp_path / name).mkdir()
    out = str(tmp_path / "results/demo")
    monkeypatch.chdir(tmp_path / "here")
    check_origin(out)
    mark_origin(out)
    mark_origin(out)
    check_origin(out)
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="results/demo: these results were made from another folder, or its"):
        check_origin(out)


def test_a_name_too_long_for_the_file_system_is_refused(tmp_path):
    with pytest.raises(InputError, match="xxx: results cannot be written there: File name too long. Name"):
        check_writable(str(tmp_path / ("x" * 300)))


def test_a_full_disk_is_told_where_the_lock_is_taken(tmp_path, monkeypatch):
    def full(descriptor, content):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(InputError, match="No space left on device. Make room on the disk."):
        hold(str(tmp_path))


def test_a_job_that_outlives_its_run_leaves_no_record(tmp_path):
    table = written(tmp_path / "t.tsv", "a\n")
    written(tmp_path / ".lock", "process 1 on here\n")
    left = Made([str(table)], str(tmp_path / "logs/rule.log"))
    left.begin()
    written(tmp_path / ".lock", "process 2 on here\n")
    next_one = Made([str(table)], str(tmp_path / "logs/rule.log"))
    next_one.begin()
    next_one.end()
    table.write_text("of the run that was killed\n")
    with pytest.raises(InputError, match="another run started on these results"):
        left.end()
    assert [each.path for each in altered(str(tmp_path))] == [str(table)]
