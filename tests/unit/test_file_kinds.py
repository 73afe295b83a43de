"""A file in another form than the expected one: the error says what it is."""

import pytest

from sera.errors import InputError
from sera.io.files import read_json
from sera.io.records import Candidate, read
from sera.io.scores import read_judgements

RECORD = '{"topic": "t", "system": "s", "sentences": ["a"]}\n'
BOM = "\ufeff"


@pytest.mark.parametrize("content", ["topic,system,sentences\nt,s,a\n", f"[{RECORD}]"])
def test_a_file_of_records_in_another_form_is_refused(tmp_path, content):
    path = tmp_path / "file"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="Write one JSON object a line, with the fields topic, system, sent"):
        read(path, Candidate)


@pytest.mark.parametrize("separator", ",;")
def test_a_table_may_be_csv(tmp_path, separator):
    path = tmp_path / "human.csv"
    rows = [["topic", "system", "judgement", "score"], ['"t, 1; a"', "s", '"J ""2"""', "1.5"]]
    path.write_text(BOM + "".join(f"{separator.join(row)}\r\n" for row in rows), encoding="utf-8")
    (found,) = read_judgements(path).to_numpy().tolist()
    assert found == ["t, 1; a", "s", 'J "2"', 1.5]
    path.write_text(f"topic{separator}system{separator}judgment{separator}score\n")
    with pytest.raises(InputError, match="has no column judgement; it has topic, system, judgment, score"):
        read_judgements(path)


def test_a_table_with_tabs_may_have_quotes_as_r_writes_them(tmp_path):
    path = tmp_path / "human.tsv"
    path.write_text('"topic"\t"system"\t"judgement"\t"score"\n"t ""1"""\t"s"\tH\t1.5\n')
    (found,) = read_judgements(path).to_numpy().tolist()
    assert found == ['t "1"', "s", "H", 1.5]
    # a quote is an ordinary character if the header has none
    path.write_text('topic\tsystem\tjudgement\tscore\n"t ""1"""\t"s"\tH\t1.5\n')
    (found,) = read_judgements(path).to_numpy().tolist()
    assert found == ['"t ""1"""', '"s"', "H", 1.5]


def test_a_byte_order_mark_at_the_start_is_left_out(tmp_path):
    path = tmp_path / "file"
    path.write_text(BOM + RECORD, encoding="utf-8")
    assert read(path, Candidate) == [Candidate("t", "s", ("a",))]
    assert read_json(path)["topic"] == "t"
    path.write_text(BOM + "topic\tsystem\tjudgement\tscore\nt\ts\tH\t1\n", encoding="utf-8")
    assert read_judgements(path)["score"].tolist() == [1.0]
