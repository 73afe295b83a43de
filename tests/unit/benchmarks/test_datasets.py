"""Data sets with judgements: the list, their files, and a download from a server on this machine."""

import hashlib
from dataclasses import replace

import pytest
from commands import sera
from loopback import LoopbackServer, QuietHandler

from sera.benchmarks import BENCHMARKS, datasets, folder, topics_of
from sera.benchmarks.datasets import DATASETS, Dataset, Origin, files_of, get
from sera.errors import InputError
from sera.io import records


def test_every_data_set_has_benchmarks_and_a_pinned_origin_of_each_file():
    for name, each in DATASETS.items():
        assert each.benchmarks and all(one in BENCHMARKS for one in each.benchmarks)
        assert all(len(origin.commit) == 40 for origin in each.origins)
        origins = [f"/{origin.repository}/{origin.commit}/" for origin in each.origins]
        files = list(files_of(name))
        assert files and all(file.size and len(file.sha256) == 64 for file in files)
        assert all(any(origin in file.url for origin in origins) for file in files)


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
        apart = each.file.startswith(("summeval_judges/", "summeval_llm_judges/", "realsumm_scores/"))
        found = (shared / "data" / ("benchmarks" if apart else folder) / each.file).read_bytes()
        assert (each.size, each.sha256) == (len(found), hashlib.sha256(found).hexdigest()), each.file


class Handler(QuietHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        body = self.server.files.get(self.path, b"")
        self.close_connection = True
        end = self.server.cuts.pop(0) if self.server.cuts and body else None
        self.answer(200 if body else 404, body, end)


def content(name):
    return name.encode() * 1000


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """A data set of two files from two repositories on a server, whose first answers can be cut short."""
    monkeypatch.delenv("http_proxy", raising=False)
    monkeypatch.delenv("HTTP_PROXY", raising=False)
    origins = (Origin("a/b", "1" * 40, "in/side"), Origin("c/d", "2" * 40, to="judges/"))
    rows = ["file\tsize\tsha256"]
    monkeypatch.setattr("sera.io.download.TRIES", 2)
    monkeypatch.setattr("sera.io.download.AT_ONCE", 1)
    with LoopbackServer(Handler) as server:
        server.files, server.asked, server.cuts = {}, [], []
        for file, path in (
            ("data 1.xlsx", f"/a/b/{'1' * 40}/in/side/data%201.xlsx"),
            ("judges/x.jsonl.gz", f"/c/d/{'2' * 40}/x.jsonl.gz"),
        ):
            server.files[path] = content(file)
            rows.append(f"{file}\t{len(content(file))}\t{hashlib.sha256(content(file)).hexdigest()}")
        (tmp_path / "tables").mkdir()
        (tmp_path / "tables/tiny.tsv").write_text("\n".join(rows) + "\n")
        monkeypatch.setattr(datasets, "_TABLES", tmp_path / "tables")
        monkeypatch.setitem(DATASETS, "tiny", Dataset((), *[""] * 6, "MIT", "Nobody 2000", origins))
        yield server


def test_get_fetches_resumes_and_keeps(tiny, tmp_path):
    folder = tmp_path / "to"
    tiny.cuts = [100]  # the first answer breaks off
    files = get("tiny", folder, server=tiny.address)
    assert [each.file for each in files] == ["data 1.xlsx", "judges/x.jsonl.gz"]
    assert (folder / "data 1.xlsx").read_bytes() == content("data 1.xlsx")
    assert (folder / "judges/x.jsonl.gz").read_bytes() == content("judges/x.jsonl.gz")
    assert sorted(path.name for path in folder.rglob("*")) == ["data 1.xlsx", "judges", "x.jsonl.gz"]
    assert len(tiny.asked) == 3
    (folder / "data 1.xlsx").write_bytes(b"Other bytes")
    assert get("tiny", folder, server=tiny.address) == files
    assert len(tiny.asked) == 4  # what is there with the right sum stays
    assert (folder / "data 1.xlsx").read_bytes() == content("data 1.xlsx")


def test_other_bytes_are_refused(tiny, tmp_path):
    tiny.files[f"/c/d/{'2' * 40}/x.jsonl.gz"] = b"x" * len(content("judges/x.jsonl.gz"))
    with pytest.raises(InputError, match=r"x.jsonl.gz: has 17000 bytes with the SHA-256 [0-9a-f]{64}, not"):
        get("tiny", tmp_path / "to", server=tiny.address)
    assert (tmp_path / "to/data 1.xlsx").exists() and not (tmp_path / "to/judges/x.jsonl.gz").exists()


def test_the_command(tiny, tmp_path):
    printed = sera("datasets", "get", "tiny", "--to", tmp_path / "to", "--server", tiny.address)
    assert printed.splitlines() == [
        f"2 files, 28000 bytes, in {tmp_path / 'to'}",
        "Licence: MIT. The texts keep their owners' rights.",
        "Cite: Nobody 2000.",
    ]
    listed = sera("datasets")
    assert "summeval: 100 news articles; systems 16; references 11\n" in listed
    assert "  licence     MIT\n" in listed
    refused = sera("datasets", "get", "--to", tmp_path, code=2)
    assert "neither NAME nor --all is given. Give one of the two" in refused
    refused = sera("datasets", "get", "sumeval", "--to", tmp_path, code=2)
    assert "there is no data set 'sumeval'. Did you mean summeval" in refused


def test_all_data_sets_go_below_one_folder_and_one_fault_stops_no_other(tiny, tmp_path, monkeypatch):
    lost = Dataset((), *[""] * 6, "MIT", "Nobody 2001", (Origin("not/there", "3" * 40),))
    (tmp_path / "tables/lost.tsv").write_text(f"file\tsize\tsha256\nx\t1\t{'0' * 64}\n")
    monkeypatch.setattr(datasets, "DATASETS", {"lost": lost, "tiny": DATASETS["tiny"]})
    given = ("--to", tmp_path / "to", "--server", tiny.address)
    printed = sera("datasets", "get", "--all", *given, code=2)
    assert f"{'3' * 40}/x: the server answers 404" in printed
    assert f"2 files, 28000 bytes, in {tmp_path / 'to/tiny'}" in printed
    assert (tmp_path / "to/tiny/judges/x.jsonl.gz").is_file()


def test_a_link_below_the_folder_is_refused(tiny, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "to/tiny").mkdir(parents=True)
    (tmp_path / "to/tiny/judges").symlink_to(tmp_path / "outside")
    with pytest.raises(InputError, match="to/tiny/judges: is a link"):
        get("tiny", tmp_path / "to", "tiny", server=tiny.address)
    assert not list((tmp_path / "outside").iterdir())


def test_an_exported_benchmark_is_read_back(tmp_path):
    judged = [records.Judgement(topic, "s", "focus", 0.1, judge) for topic in "uv" for judge in ("A", "B")]
    topics = topics_of(
        [records.Source(topic, f"a{topic}", "Title", (records.Section("", ("x", topic)),)) for topic in "uv"],
        [records.Reference(topic, "A", ("x",)) for topic in "uv"],
        [records.Nugget("u", "A", "x")],
        [records.Candidate(topic, system, (topic,)) for topic in "uv" for system in "st"],
        judged,
        [records.Preference("v", "s", "t", "A", "tie")],
        [records.GivenScore("u", "s", "words", 1 / 3), records.GivenScore("v", "s", "words", 2.0)],
    )
    folder.write(tmp_path / "a", topics)
    assert folder.read(tmp_path / "a") == topics and not (tmp_path / "a/documents.jsonl").exists()
    export = ("datasets", "export")
    command = (*export, "folder", "--data", tmp_path / "a", "--topics", 1, "--to", tmp_path / "b")
    assert sera(*command) == f"1 topic with 2 summaries of systems in {tmp_path / 'b'}\n"
    assert folder.read(tmp_path / "b") == topics[:1]
    assert "Name a new folder" in sera(*command, code=2)
    refused = sera(*export, "wikisera_tac2009", "--data", tmp_path, "--to", tmp_path / "c", code=2)
    assert "wikisera_tac2009 has scores alone, without texts" in refused
    missing = replace(topics[1], candidates=topics[1].candidates[:1])
    folder.write(tmp_path / "c", [topics[0], missing])
    with pytest.raises(InputError, match="has no summary by t for topic v"):
        folder.read(tmp_path / "c")
