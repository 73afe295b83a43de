"""A pickle of plain data is read; anything else in it is refused before it is run."""

import datetime
import pickle

import pytest

from sera.benchmarks.plain_pickle import read_plain
from sera.errors import InputError

PLAIN = {"a": [1, 2.5, None, True, "é" * 300], 7: {"b": ("x", (), (1, 2, 3, 4))}, "big": 2**70}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_plain_data_is_read(tmp_path, protocol):
    path = tmp_path / "data.pkl"
    path.write_bytes(pickle.dumps(PLAIN, protocol))
    assert read_plain(path) == PLAIN


class Harmful:
    def __reduce__(self):
        return (open, ("harmed", "w"))


@pytest.mark.parametrize(
    "content",
    [
        *(pickle.dumps({"a": Harmful()}, protocol) for protocol in range(6)),
        pickle.dumps({"a": datetime.date(2020, 1, 1)}),
        pickle.dumps({10**5000: 1}),  # more digits than Python writes
        b"cos\nsystem\n(S'true'\ntR.",
        b"\x80\x02]r\xff\xff\xff\x7f.",  # a memo of two thousand million entries
        pickle.dumps(PLAIN)[:-5],
        b"",
        b"{}",
    ],
)
def test_anything_else_is_refused(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "data.pkl"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a pickle of plain data: .+ Nothing of it was run"):
        read_plain(path)
    assert [each.name for each in tmp_path.iterdir()] == ["data.pkl"]
