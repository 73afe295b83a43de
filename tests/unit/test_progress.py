"""Progress: lines in a log by a clock that the test turns."""

import logging

from sera.progress import progress


def test_a_line_a_minute_and_none_before(caplog, capsys):
    caplog.set_level(logging.INFO)
    now, items = 1000.0, []
    for item in progress(range(10), "articles", clock=lambda: now):
        items.append(item)
        now += 25.0  # done after 25, 50, 75 seconds and so on
    assert items == list(range(10))
    assert caplog.messages == ["articles: 3 of 10", "articles: 6 of 10", "articles: 9 of 10"]
    assert {record.levelname for record in caplog.records} == {"INFO"}
    assert capsys.readouterr().err == ""  # no bar where there is no terminal
