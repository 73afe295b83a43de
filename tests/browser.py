"""A headless Chromium for tests, spoken to over a pipe in the DevTools protocol."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

NAMES = ("chromium", "chromium-browser", "google-chrome")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None)
_FAULTS = Path(__file__).with_name("page_faults.js")
_ERRORS = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")


class Browser:
    """One page, opened from disk; ``problems`` are its console's errors, ``requests`` what it asked for."""

    def __init__(self) -> None:
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        into, self._out = os.pipe()
        self._in, out = os.pipe()
        flags = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --remote-debugging-pipe"
        assert PROGRAM
        # the protocol's ends are the descriptors 3 and 4
        start = f'exec "$@" 3<&{into} 4>&{out}'
        line = ["bash", "-c", start, "-", PROGRAM, *flags.split(), f"--user-data-dir={self._profile.name}"]
        self._process = subprocess.Popen(
            [*line, "about:blank"], pass_fds=(into, out), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        os.close(into)
        os.close(out)
        self._number, self._rest, self._session = 0, b"", None
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._loaded = 0
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._profile.cleanup()

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and give its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path: Path, *, width: int = 1280, hash: str = "") -> None:
        """Open a file in a window of that width in pixels; returns once it is loaded."""
        self.problems.clear()
        self.requests.clear()
        window = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", **window)
        for address in ("about:blank", path.resolve().as_uri() + hash):
            before = self._loaded
            self.call("Page.navigate", url=address)
            while self._loaded == before:
                self._next()

    def run(self, expression: str) -> Any:
        """The value of an expression of JavaScript in the page; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def _next(self) -> dict[str, Any]:
        """The next message; events are noted."""
        while b"\0" not in self._rest:
            part = os.read(self._in, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self._rest += part
        first, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(first)
        method, params = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self._loaded += 1
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method in _ERRORS:
            level = params.get("type") or params.get("entry", {}).get("level")
            if level not in ("log", "info", "verbose"):
                self.problems.append(json.dumps(params)[:1000])
        return message

    def faults(self, path: Path, width: int) -> list[str]:
        """The faults in the looks of a page with all details open, in a window of this width."""
        self.open(path, width=width)
        return [*self.problems, *self.run(_FAULTS.read_text(encoding="utf-8"))]


def take_picture(page: Path, path: Path, *, width: int = 960, height: int = 690) -> None:
    """Write the top of a page as a PNG of 32 colours, with two pixels for each of the page's."""
    with Browser() as opened:
        opened.open(page, width=width)
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 2}
        shot = opened.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
    Image.open(BytesIO(b64decode(shot["data"]))).quantize(32).save(path, optimize=True)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a module, which are skipped without Chromium."""
    if PROGRAM is None:
        pytest.skip("needs Chromium, which `make test-all` installs as root on Debian")
    with Browser() as opened:
        yield opened


if __name__ == "__main__":  # python tests/browser.py results/tac2014_scores/report.html docs/figures/page.png
    take_picture(*map(Path, sys.argv[1:]))
