import pytest

from sera.benchmarks import BENCHMARKS
from sera.errors import InputError
from sera.io import records
from sera.io.records import Reference, Section, Source


def test_records_become_topics(tmp_path):
    with pytest.raises(
        InputError, match="lacks sources.jsonl, references.jsonl, citances.jsonl, nuggets.jsonl"
    ):
        BENCHMARKS.load("own").inputs(release=tmp_path)
    reference = Reference("t", "A", ("Fish swim.",))
    source = Source("t", "a", sections=(Section("", ("The fish swim.",)),))
    for kind, some in {"sources": [source], "references": [reference], "citances": [], "nuggets": []}.items():
        records.write(tmp_path / f"{kind}.jsonl", some)
    (topic,) = BENCHMARKS.load("own").read(release=tmp_path)
    assert (topic.id, topic.source, topic.references, topic.nuggets) == ("t", source, (reference,), ())
