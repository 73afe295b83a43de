"""Progress: lines in a log by a clock that the test turns, a bar on a terminal that the test makes."""

import fcntl
import logging
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest

from sera.progress import progress


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_line_a_minute_and_none_before(caplog, capsys):
    caplog.set_level(logging.INFO)
    clock = Clock()
    items = []
    for item in progress(range(10), "articles", clock=clock):
        items.append(item)
        clock.now += 25.0  # done after 25, 50, 75 seconds and so on
    assert items == list(range(10))
    assert caplog.messages == [
        "articles: 3 of 10",
        "articles: 6 of 10",
        "articles: 9 of 10",
    ]
    assert {record.levelname for record in caplog.records} == {"INFO"}
    assert capsys.readouterr().err == ""  # no bar where there is no terminal


def test_lines_of_what_has_no_length(caplog):
    caplog.set_level(logging.INFO)
    clock = Clock()
    for _ in progress(iter(range(2000)), "documents", clock=clock):
        clock.now += 1 / 32
    assert caplog.messages == ["documents: 1,920"]


@pytest.mark.parametrize("seconds", [0, 3])
def test_a_bar_on_a_terminal_for_what_takes_its_time(seconds):
    program = (
        "import sys, time; from sera import progress; progress.BAR = 1.0\n"
        f"for _ in progress.progress(range(4), 'articles'): time.sleep({seconds} / 4)"
    )
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))  # 80 columns
    subprocess.run([sys.executable, "-c", program], stderr=end, check=True)
    os.close(end)
    shown = b""
    try:
        while piece := os.read(terminal, 4096):
            shown += piece
    except OSError:  # the terminal's end
        pass
    os.close(terminal)
    assert (b"articles: 100%" in shown) == (seconds > 0)
    assert shown == b"" or seconds > 0
