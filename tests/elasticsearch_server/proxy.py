"""A proxy before the tests' server, that makes a server of a later version of it as far as HTTP shows one."""

from __future__ import annotations

import http.client
import json
import re

from loopback import LoopbackServer, QuietHandler

_COMPATIBLE = re.compile(r"application/vnd\.elasticsearch\+([a-z-]+); ?compatible-with=(\d+)")
_OF_ONE_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class Proxy(LoopbackServer):
    """Passes requests on.

    What it changes is what tells the versions apart on the wire:

    * ``GET /`` names ``version``;
    * every answer has the header ``X-Elastic-Product``, from 7.14 on; before, none;
    * a server of version 8 or later takes media types that say ``compatible-with`` its own major version or
      the one before, and answers 400 to others. Those sent to a version 7 are passed on, and a 7.10 refuses
      them by itself.

    All else is what the server behind it does. ``paths`` are the methods and paths it was asked for.
    """

    def __init__(self, address: str, version: str) -> None:
        super().__init__(_Handler)
        self.behind = address.removeprefix("http://")
        self.version = version
        self.number = tuple(int(part) for part in version.split(".")[:2])
        self.paths: list[str] = []


class _Handler(QuietHandler):
    disable_nagle_algorithm = True
    server: Proxy

    def _pass_on(self) -> None:
        self.server.paths.append(f"{self.command} {self.path}")
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        headers.pop("connection", None)
        major = self.server.number[0]
        for name in ("accept", "content-type"):
            asked = _COMPATIBLE.search(headers.get(name, "")) if major >= 8 else None
            if asked and int(asked[2]) not in (major, major - 1):
                reason = f"the version in {name} has to be {major} or {major - 1}, not {asked[2]}"
                self._refuse(400, "media_type_header_exception", reason)
                return
            if asked:
                headers[name] = f"application/{asked[1]}"
        try:
            onward = http.client.HTTPConnection(self.server.behind, timeout=120)
            onward.request(self.command, self.path, body or None, headers)
            answer = onward.getresponse()
            content = answer.read()
            onward.close()
        except OSError:
            self._refuse(502, "bad_gateway", "there is no server")
            return
        if self.path == "/" and answer.status == 200:
            about = json.loads(content)
            about["version"]["number"] = self.server.version
            content = json.dumps(about).encode()
        self._answer(answer.status, answer.getheaders(), content)

    do_DELETE = do_GET = do_HEAD = do_POST = do_PUT = _pass_on

    def _refuse(self, status: int, kind: str, reason: str) -> None:
        error = {"error": {"type": kind, "reason": reason}, "status": status}
        self._answer(status, [("Content-Type", "application/json")], json.dumps(error).encode())

    def _answer(self, status: int, headers: list[tuple[str, str]], content: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in _OF_ONE_CONNECTION:
                self.send_header(name, value)
        if self.server.number >= (7, 14):
            self.send_header("X-Elastic-Product", "Elasticsearch")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
