"""A language model on loopback."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest


def said(text: str | None) -> dict:
    return {"choices": [{"message": {"role": "assistant", "content": text}}]}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server.asked.append((self.path, self.headers.get("Authorization"), json.loads(body)))
        status, answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_) -> None:
        pass


@pytest.fixture
def language_model() -> Iterator[HTTPServer]:
    """A server that keeps what it is asked, and answers from a list, the last one again and again."""
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        server.asked, server.answers = [], [(200, said("A cell divides. It grows."))]
        server.address = f"http://127.0.0.1:{server.server_port}/v1"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
