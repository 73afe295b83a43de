"""Shards of topics: each topic in one of them, and their tables together those of one run."""

import pytest

from sera.errors import InputError
from sera.io.records import Candidate, Reference
from sera.metrics.shards import Shard, TopicShard, gather_scores, gather_signatures

# by system, as a study has them: topics t, u, v, of which v lacks a summary by b
CANDIDATES = [Candidate(topic, system, ()) for topic, system in ["ta", "ua", "va", "tb", "ub"]]
HEADER = "topic\tsystem\tmetric\tscore\n"


def rows(*summaries):
    return "".join(
        f"{topic}\t{system}\t{name}\t{topic}{system}\n" for topic, system in summaries for name in "MN"
    )


def written(folder, *texts):
    paths = [folder / f"{number}.tsv" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def test_a_shards_name_gives_its_number_and_theirs():
    assert Shard.named("2-of-10") == Shard(2, 10) and Shard(2, 10).name == "2-of-10"
    assert [list(Shard(number, 3).of(4)) for number in (1, 2, 3)] == [[0], [1], [2, 3]]


@pytest.mark.parametrize(
    ("parts", "topics"), [(1, ["tuv"]), (2, ["t", "uv"]), (3, ["t", "u", "v"]), (4, ["", "t", "u", "v"])]
)
def test_each_topic_is_in_one_shard(parts, topics):
    shards = [TopicShard(Shard(number + 1, parts).name, CANDIDATES) for number in range(parts)]
    assert [shard.topics for shard in shards] == [set(each) for each in topics]
    references = [Reference("v", "A", ()), Reference("t", "A", ()), Reference("w", "A", ())]
    assert [[each.topic for each in shard.of(references)] for shard in shards] == [
        [name for name in "vt" if name in each] for each in topics
    ]
    assert TopicShard(None, CANDIDATES).topics == set("tuv")


@pytest.mark.parametrize(
    "tables",
    [
        [rows("ta", "ua", "va", "tb", "ub")],
        [rows("ta", "tb"), rows("ua", "va", "ub")],
        ["", rows("ta", "tb"), rows("ua", "ub"), rows("va")],
    ],
)
def test_the_rows_are_in_the_order_of_the_candidates(tmp_path, tables):
    paths = written(tmp_path, *(HEADER + table for table in tables))
    gather_scores(tmp_path / "whole", CANDIDATES, paths)
    assert (tmp_path / "whole").read_text() == HEADER + rows("ta", "ua", "va", "tb", "ub")


def test_without_a_metric_there_is_no_row(tmp_path):
    gather_scores(tmp_path / "whole", CANDIDATES, written(tmp_path, HEADER, HEADER))
    assert (tmp_path / "whole").read_text() == HEADER


@pytest.mark.parametrize(
    ("tables", "problem"),
    [
        ([HEADER + rows("ta", "tb"), HEADER + rows("ua", "ub")], "do not have the scores of a for v"),
        ([HEADER, HEADER + rows("ua", "va", "ub")], "do not have the scores of a for t"),
        ([HEADER + rows("ta", "tb", "tc"), HEADER + rows("ua", "va", "ub")], "have scores of c for t"),
        ([HEADER, "topic\n"], "1.tsv, line 1: has the header 'topic', not 'topic"),
    ],
)
def test_shards_of_other_candidates_are_refused(tmp_path, tables, problem):
    with pytest.raises(InputError) as raised:
        gather_scores(tmp_path / "whole", CANDIDATES, written(tmp_path, *tables))
    assert problem in str(raised.value)
    assert not (tmp_path / "whole").exists()


def test_the_caution_is_the_longest(tmp_path):
    header = "metric\tsignature\tsettings\tcaution\n"
    paths = written(
        tmp_path, f"{header}M\tm\ts\t\nN\tn\t\tfew\n", f"{header}M\tm\ts\tfew\nN\tn\t\tfew; none\n"
    )
    gather_signatures(tmp_path / "whole", paths)
    assert (tmp_path / "whole").read_text() == f"{header}M\tm\ts\tfew\nN\tn\t\tfew; none\n"
    paths[1].write_text(f"{header}M\tother\ts\tfew\nN\tn\t\t\n")
    with pytest.raises(InputError, match=r"1\.tsv: has other metrics than .*0\.tsv"):
        gather_signatures(tmp_path / "whole", paths)
