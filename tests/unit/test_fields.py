"""The strict reading of objects and rows: what is refused, with its file and line."""

import math

import pytest

from sera.errors import InputError
from sera.io.fields import Fields, of_table


@pytest.mark.parametrize(
    ("read", "value"),
    [
        *((Fields.number, value) for value in ("1", "1_0", True, None, [], math.nan, -math.inf, 10**400)),
        *((Fields.numbers, value) for value in (1.0, None, [1, "2"], [math.nan], [[1]])),
        *((Fields.text, value) for value in (None, 1, b"a", ["a"])),
        *((Fields.texts, value) for value in ("a", None, ["a", None])),
        *((Fields.inside, value) for value in ([], None, {1: "a"})),
    ],
)
def test_nothing_is_converted(read, value):
    with pytest.raises(InputError, match=r"^f, line 3: .*Do this$"):
        read(Fields({"x": value}, "f", 3, remedy="Do this"), "x")
    with pytest.raises(InputError, match="f: topic t has no field 'x'"):
        read(Fields({}, "f", within="topic t"), "x")


def test_right_values_are_returned():
    fields = Fields({"a": 3, "b": [1, 2.5], "c": "x", "d": {"e": ["y"]}}, "f")
    assert (fields.number("a"), fields.numbers("b"), fields.text("c")) == (3.0, [1.0, 2.5], "x")
    assert fields.inside("d").texts("e") == ["y"] and "a" in fields and "e" not in fields


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("t.csv", 'a,b\n1,"2\n', "line 2: is not CSV"),
        ("t.csv", "a,b\n1\n", "line 2: has 1 cells"),
        ("t.csv", "a,a,b\n1,2,3\n", "line 1: has the column 'a' twice"),
        ("t.csv", "a\n1\n", "no column b"),
        ("t.csv", "a,b\n", "no row"),
        ("t.csv", "", "no column a"),
        ("t.tsv", "a\tb\n1\t2\t3\n", "line 2: has 3 cells"),
        ("t.tsv", 'a\tb\n1\t"2\n', "line 2: the cell '\"2' opens a quote"),
        ("t.tsv", "a\tb\n", "no row"),
    ],
)
def test_a_table_of_another_form_is_refused(tmp_path, name, text, problem):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as raised:
        list(of_table(tmp_path / name, ["a", "b"]))
    assert name in str(raised.value) and problem in str(raised.value)


def test_cells_of_csv_are_unquoted_and_those_of_tsv_are_not(tmp_path):
    (tmp_path / "t.csv").write_text('a,b\n"1, 2","x ""y"""\n\n3,4\n')
    (tmp_path / "t.tsv").write_text('a\tb\n"1"\tx "y\n')
    rows = list(of_table(tmp_path / "t.csv", ["a"]))
    assert [(row.line, row.values) for row in rows] == [
        (2, {"a": "1, 2", "b": 'x "y"'}),
        (4, {"a": "3", "b": "4"}),
    ]
    assert [row.values for row in of_table(tmp_path / "t.tsv", ["b"])] == [{"a": '"1"', "b": 'x "y'}]
