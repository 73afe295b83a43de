"""A stub of an Elasticsearch server, that can answer anything."""

import contextlib
import json
import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

import pytest
from loopback import LoopbackServer, QuietHandler

VARIABLES = ("HOSTS", "API_KEY", "USER", "PASSWORD", "CA", "INDEX", "SHARDS")


class Stub(LoopbackServer):
    """Holds the ids of indexes; ``instead`` are raw answers to requests that match a pattern."""

    def __init__(self) -> None:
        super().__init__(Handler)
        self.created: dict[str, dict] = {}  # what an index was created with
        self.ids: dict[str, set[str]] = {}
        self.instead: dict[str, bytes] = {}
        self.asked: list[tuple[str, str]] = []  # request, Authorization
        self.bodies: list[bytes] = []  # of searches

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, object]:
        index, _, last = path.strip("/").partition("/")
        if last == "_msearch":
            self.bodies.append(body)
            hits = {"hits": [{"_id": "d2", "sort": [1.5, 1]}], "total": {"value": 2}}
            return 200, {"responses": [{"hits": hits, "status": 200}] * (len(body.splitlines()) // 2)}
        if last == "_bulk":
            sent = [json.loads(line)["create"]["_id"] for line in body.splitlines()[::2]]
            there = {id: id in self.ids[index] for id in sent}
            self.ids[index].update(sent)
            items = [{"create": {"_id": id, "status": 409 if there[id] else 201}} for id in sent]
            return 200, {"items": items}
        if last == "_count":
            return 200, {"count": len(self.ids[index])}
        if method == "PUT":
            self.created[index], self.ids[index] = json.loads(body), set()
        return 200 if index in self.ids or last else 404, {"acknowledged": True}


class Handler(QuietHandler):
    def any(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        request = f"{self.command} {unquote(urlsplit(self.path).path)}"
        self.server.asked.append((request, self.headers.get("Authorization", "")))
        raw = next(
            (raw for pattern, raw in self.server.instead.items() if re.fullmatch(pattern, request)), None
        )
        if raw is None:
            status, content = self.server.answer(*request.split(" ", 1), body)
            raw = raw_answer(status, json.dumps(content).encode() if self.command != "HEAD" else b"")
        else:
            self.close_connection = True
        self.wfile.write(raw)

    do_GET = do_HEAD = do_POST = do_PUT = any


def raw_answer(status=200, body=b"{}", *, product="Elasticsearch") -> bytes:
    head = [
        f"HTTP/1.1 {status} Some-Reason",
        "Content-Type: application/json",
        f"X-Elastic-Product: {product}",
        "Connection: close",  # the stub closes it
    ]
    return "\r\n".join([*head, f"Content-Length: {len(body)}"]).encode() + b"\r\n\r\n" + body


@contextlib.contextmanager
def named_stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """A stub that the environment names alone."""
    for variable in VARIABLES:
        monkeypatch.delenv(f"ELASTICSEARCH_{variable}", raising=False)
    with Stub() as stub:
        monkeypatch.setenv("ELASTICSEARCH_HOSTS", stub.address)
        yield stub
