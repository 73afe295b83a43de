"""Data sets with judgements: the list, their files, and a download from a server on this machine."""

from __future__ import annotations

import hashlib

import pytest
from click.testing import CliRunner
from download_server import content, server  # noqa: F401

from sera.benchmarks import BENCHMARKS, dataset_download, datasets
from sera.benchmarks.dataset_download import files_of, get
from sera.benchmarks.datasets import DATASETS, Dataset, Origin, benchmarks_in, language_settings
from sera.cli import main
from sera.errors import InputError


def test_every_data_set_has_benchmarks_and_a_pinned_origin_of_each_file():
    for name, each in DATASETS.items():
        assert each.benchmarks and all(one in BENCHMARKS for one in each.benchmarks)
        assert all(len(origin.commit) == 40 for origin in each.origins)
        files = list(files_of(name))
        assert files and all(
            any(f"/{origin.repository}/{origin.commit}/" in file.url for origin in each.origins)
            for file in files
        )
        assert name == "newsroom" or all(file.size and len(file.sha256) == 64 for file in files)


def test_a_file_is_at_the_address_of_its_folder():
    (judges,) = [each for each in files_of("summeval") if each.file.endswith("/M8_outputs_annotations.jsonl")]
    assert judges.file == "summeval_judges/M8_outputs_annotations.jsonl"
    assert judges.url == (
        "https://raw.githubusercontent.com/DAMO-NLP-SG/LLM_summeval/bd7dde15817a88940c17574973ff03e750356daa/"
        "model_output_annotations/M8_outputs_annotations.jsonl"
    )
    named = {each.file: each.url for each in files_of("mslr")}
    assert named["data/Pairwise/annotated_samples/sample2 - A3 - Sheet1.tsv"].endswith(
        "/sample2%20-%20A3%20-%20Sheet1.tsv"
    )
    assert len(list(files_of("multi_summeval"))) == 8 * (3 * 135 + 1)


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        *((name, f"benchmarks/{name}") for name in ("scholarsum", "mslr", "summeval_op")),
        ("realsumm", "benchmarks/lite3pyramid_realsumm"),
        ("scitldr", "scitldr"),
    ],
)
def test_the_sums_are_those_of_the_files_that_the_readers_were_tried_on(shared, name, folder):
    for each in files_of(name):
        found = (shared / "data" / folder / each.file).read_bytes()
        assert (each.size, each.sha256) == (len(found), hashlib.sha256(found).hexdigest()), each.file


@pytest.fixture
def tiny(server, tmp_path, monkeypatch):  # noqa: F811
    """A data set of two files from two repositories on the server."""
    origins = (Origin("a/b", "1" * 40, "in/side"), Origin("c/d", "2" * 40, to="judges/"))
    made = {"data 1.txt": (0, "in/side/"), "judges/x.jsonl": (1, "")}
    rows = ["file\tsize\tsha256"]
    for file, (number, within) in made.items():
        name = file.rpartition("/")[2]
        origin = origins[number]
        server.files[f"/bulk/{origin.repository}/{origin.commit}/{within}{name}"] = content(name)
        rows.append(f"{file}\t300000\t{hashlib.sha256(content(name)).hexdigest()}")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/tiny.tsv").write_text("\n".join(rows) + "\n")
    monkeypatch.setattr(dataset_download, "_TABLES", tmp_path / "tables")
    monkeypatch.setitem(DATASETS, "tiny", Dataset((), *[""] * 6, "MIT", "Nobody 2000", origins))
    return server


def test_get_fetches_resumes_and_keeps(tiny, tmp_path):
    folder = tmp_path / "to"
    tiny.cut["data 1.txt"] = [100_000]  # the first answer breaks off
    files = get("tiny", folder, server=tiny.address, pause=0)
    assert [each.file for each in files] == ["data 1.txt", "judges/x.jsonl"]
    assert (folder / "data 1.txt").read_bytes() == content("data 1.txt")
    assert (folder / "judges/x.jsonl").read_bytes() == content("x.jsonl")
    assert tiny.of("data 1.txt") == ["", "bytes=100000-"]
    assert sorted(path.name for path in folder.rglob("*")) == ["data 1.txt", "judges", "x.jsonl"]
    asked = len(tiny.asked)
    assert get("tiny", folder, server=tiny.address, pause=0) == files
    assert len(tiny.asked) == asked  # what is there stays


def test_other_bytes_are_refused(tiny, tmp_path):
    tiny.files[f"/bulk/c/d/{'2' * 40}/x.jsonl"] = b"x" * 300_000
    with pytest.raises(InputError, match=r"1 of 2 files could not be fetched; judges/x.jsonl: .*SHA-256"):
        get("tiny", tmp_path / "to", server=tiny.address, pause=0, tries=2)
    assert (tmp_path / "to/data 1.txt").exists() and not (tmp_path / "to/judges/x.jsonl").exists()


def test_the_command(tiny, tmp_path):
    arguments = ["datasets", "get", "tiny", "--to", str(tmp_path / "to"), "--server", tiny.address]
    shown = CliRunner().invoke(main, arguments)
    assert shown.exit_code == 0
    assert shown.stdout.splitlines() == [
        f"2 files, 600000 bytes, in {tmp_path / 'to'}",
        "Licence: MIT. The texts keep their owners' rights.",
        "Cite: Nobody 2000.",
    ]
    listed = CliRunner().invoke(main, ["datasets"]).stdout
    assert "summeval: 100 news articles; systems 16; references 11\n" in listed
    assert "  licence     MIT\n" in listed
    shown = CliRunner().invoke(main, ["datasets", "get", "--to", str(tmp_path)])
    assert shown.exit_code == 2 and "neither NAME nor --all is given. Give one of the two" in shown.stderr
    shown = CliRunner().invoke(main, ["datasets", "get", "sumeval", "--to", str(tmp_path)])
    assert shown.exit_code == 2 and "there is no data set 'sumeval'. Did you mean summeval" in shown.stderr


def test_all_data_sets_go_below_one_folder_and_one_fault_stops_no_other(tiny, tmp_path, monkeypatch):
    lost = Dataset((), *[""] * 6, "MIT", "Nobody 2001", (Origin("not/there", "3" * 40),))
    (tmp_path / "tables/lost.tsv").write_text("file\tsize\tsha256\nx\t\t\n")
    monkeypatch.setattr(datasets, "DATASETS", {"lost": lost, "tiny": DATASETS["tiny"]})
    arguments = ["datasets", "get", "--all", "--to", str(tmp_path / "to"), "--server", tiny.address]
    shown = CliRunner().invoke(main, [*arguments, "--tries", "1"])
    assert shown.exit_code == 2 and "1 of 1 files could not be fetched; x" in shown.stderr
    assert f"2 files, 600000 bytes, in {tmp_path / 'to/tiny'}" in shown.stdout
    assert (tmp_path / "to/tiny/judges/x.jsonl").is_file()


def test_the_benchmarks_of_a_folder(tmp_path):
    with pytest.raises(InputError, match="has none of the data sets"):
        benchmarks_in(tmp_path)
    for name in ("scitldr", "scholarsum", "multi_summeval", "something"):
        (tmp_path / name).mkdir()
    found, missing = benchmarks_in(tmp_path)
    languages = {name: tmp_path / "multi_summeval" for name in found if name.startswith("multi_summeval_")}
    assert len(languages) == 8
    assert found == {  # SciTLDR alone is not judged
        **languages,
        "scholarsum_arxiv": tmp_path / "scholarsum",
        "scholarsum_pubmed": tmp_path / "scholarsum",
        "scitldr_informativeness": tmp_path / "scitldr",
    }
    assert missing == ["realsumm", "pyrxsum", "summeval", "newsroom", "mslr", "summeval_op"]


def test_a_language_that_is_not_there_is_named(tmp_path):
    for language in ("EN", "ZH"):
        for kind in ("gold", "pred_BERT", "pred_PG"):
            (tmp_path / f"multi_summeval/{language}/{kind}").mkdir(parents=True)
            (tmp_path / f"multi_summeval/{language}/{kind}/1").write_text("A b.")
        rows = "id,model,focus,coverage\n1,BERT,0.5,0.5\n1,PG,0.1,0.2\n"
        (tmp_path / f"multi_summeval/{language}/score.csv").write_text(rows)
    found, missing = benchmarks_in(tmp_path)
    assert list(found) == ["multi_summeval_en", "multi_summeval_zh"]
    assert missing[-6:] == [f"multi_summeval_{code}" for code in ("de", "es", "fr", "id", "ru", "tr")]


def test_a_benchmark_in_another_language_has_its_analyzer():
    assert language_settings("multi_summeval_de") == {"language": "de", "analyzer": "german"}
    assert language_settings("multi_summeval_zh") == {"analyzer": "standard"}
    assert language_settings("multi_summeval_en") == language_settings("summeval") == {}


def test_what_cannot_be_checked_is_said(tiny, tmp_path, caplog):
    (tmp_path / "tables/tiny.tsv").write_text("file\tsize\tsha256\njudges/x.jsonl\t\t\n")
    get("tiny", tmp_path / "to", server=tiny.address, pause=0)
    assert "judges/x.jsonl: its right sum is not known here, so it was not checked" in caplog.text
