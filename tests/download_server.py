"""A loopback server of packages that breaks connections, is busy, and gives wrong bytes."""

import hashlib
import threading
import time
from collections import Counter
from urllib.parse import unquote

import pytest
from loopback import LoopbackServer, QuietHandler

from sera.corpora.pmc_oa_download import download

BASE = "oa_comm_xml.PMC000xxxxxx.baseline.2024-12-18"
INCR = "oa_comm_xml.incr.2024-12-19"
OTHER = "oa_other_xml.PMC001xxxxxx.baseline.2024-12-18"
NAMES = [f"{stem}.{end}" for stem in (BASE, INCR) for end in ("filelist.csv", "tar.gz")]


def content(name: str, size: int = 300_000) -> bytes:
    piece = hashlib.sha256(name.encode()).digest()
    return (piece * (size // len(piece) + 1))[:size]


class Server(LoopbackServer):
    """Serves ``files``, path to bytes, and misbehaves as it is told."""

    def __init__(self) -> None:
        super().__init__(Handler)
        self.files: dict[str, bytes] = {}
        self.busy: Counter[str] = Counter()  # name: so many 503s
        self.cut: dict[str, list[int]] = {}  # name: bytes after which the connection breaks, answer by answer
        self.hang_up: Counter[str] = Counter()  # name: so many connections closed without an answer
        self.raw: dict[str, list[bytes]] = {}  # name: answers as they are sent, the last for ever
        self.ranges = True
        self.tag = '"one"'
        self.slow = 0.0
        self.asked: list[tuple[str, str, str]] = []  # method, name, Range
        self.active = self.most = 0
        self.lock = threading.Lock()

    def add(self, *names: str, group: str = "oa_comm") -> None:
        self.files |= {f"/bulk/{group}/xml/{name}": content(name) for name in names}

    @property
    def address(self) -> str:
        return f"{super().address}/bulk"

    def of(self, name: str, method: str = "GET") -> list[str]:
        return [header for how, asked, header in self.asked if (how, asked) == (method, name)]


class Handler(QuietHandler):
    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        server = self.server
        path = unquote(self.path)
        name = path.rpartition("/")[2] or path
        with server.lock:
            server.asked.append((self.command, name, self.headers.get("Range", "")))
            server.active += not path.endswith("/")
            server.most = max(server.most, server.active)
        try:
            self.answer(server, path, name)
        finally:
            with server.lock:
                server.active -= not path.endswith("/")

    def answer(self, server: Server, path: str, name: str) -> None:
        with server.lock:
            raw = server.raw.get(name)
            if raw:
                self.wfile.write(raw.pop(0) if len(raw) > 1 else raw[0])
                self.close_connection = True
                return
            if server.hang_up[name] > 0:
                server.hang_up[name] -= 1
                self.close_connection = True
                return
            if server.busy[name] > 0:
                server.busy[name] -= 1
                self.send_response(503)
                self.send_header("Retry-After", "0")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
        if path.endswith("/"):
            names = [file.removeprefix(path) for file in server.files if file.startswith(path)]
            if not names:
                return self.send_error(404)
            rows = "".join(f'<a href="{name}">{name[:20]}..&gt;</a> 2024-12-18 1.2G\n' for name in names)
            head = '<a href="?C=N;O=D">Name</a> <a href="../">Parent</a>'
            body = f"<html><pre>{head}\n{rows}</pre></html>".encode()
            self.send_response(200)
        elif path not in server.files:
            return self.send_error(404)
        else:
            time.sleep(server.slow)
            body = server.files[path]
            total, start = len(body), 0
            asked = self.headers.get("Range")
            if asked and server.ranges and self.headers.get("If-Range", server.tag) == server.tag:
                start = int(asked.removeprefix("bytes=").removesuffix("-"))
                if start >= total:
                    self.send_response(416)
                    self.send_header("Content-Range", f"bytes */{total}")
                    self.send_header("Content-Length", "0")
                    return self.end_headers()
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{total - 1}/{total}")
                body = body[start:]
            else:
                self.send_response(200)
            self.send_header("ETag", server.tag)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with server.lock:
            cuts = server.cut.get(name)
            cut = cuts.pop(0) if cuts else None
        if self.command != "HEAD":
            self.wfile.write(body[:cut])
        if cut is not None:
            self.close_connection = True


@pytest.fixture
def server(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Server() as server:
        yield server


def fetch(folder, server, **settings):
    settings = {"groups": ["oa_comm"], "server": server.address, "pause": 0.0, "tries": 4, **settings}
    return download(folder, **settings)
