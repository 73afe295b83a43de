"""Lengths of summaries in one text."""

import pytest

from sera.errors import InputError
from study.settings.lengths import read_length, write_length


def test_a_length_is_written_and_read():
    for given, text in (({"sentences": 10}, "10 sentences"), ({"share": 0.123}, "12.3 percent")):
        assert write_length(**given) == text and read_length(text) == given
    assert write_length() == "250 words"
    for wrong in ("250", "0 words"):
        with pytest.raises(InputError, match="length of a summary"):
            read_length(wrong)
