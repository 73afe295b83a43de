"""HTTP servers in this process, on free ports of loopback."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class LoopbackServer(ThreadingHTTPServer):
    """A server that answers as long as its context is open."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class QuietHandler(BaseHTTPRequestHandler):
    """Keeps connections open and logs nothing."""

    protocol_version = "HTTP/1.1"

    def answer(self, status: int, body: bytes, end: int | None = None, **headers: str) -> None:
        """Send an answer, of whose body only what is before ``end`` comes."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[:end])

    def log_message(self, *_: object) -> None:
        pass
