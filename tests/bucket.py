"""PubMed Central's bucket on this machine: moto's S3 behind a server that can fail, and an ID converter."""

from __future__ import annotations

import gzip
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest
import urllib3
from loopback import LoopbackServer, QuietHandler
from moto.server import ThreadedMotoServer

from sera.pubmed import pmc_cloud

NAME = "pmc-oa-opendata"
DAY = "inventory-reports/pmc-oa-opendata/metadata/2026-11-{:02}T01-00Z"


def article(text: str) -> bytes:
    return f"<article><body><p>{text}</p></body></article>".encode()


class Bucket(LoopbackServer):
    """Passes requests on to moto, and misbehaves as it is told; ``asked`` has the paths of all requests."""

    def __init__(self, moto: str) -> None:
        super().__init__(Handler)
        self.moto = moto
        self.busy: Counter[str] = Counter()  # the number of answers 503, by path
        self.cut: Counter[str] = Counter()  # the number of answers that break off, by path
        self.slow = 0.0  # seconds
        self.dois: dict[str, str] = {}
        self.asked: list[str] = []
        access = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}
        self.client = boto3.client("s3", endpoint_url=moto, **access)
        self.client.create_bucket(Bucket=NAME)

    @property
    def source(self) -> str:
        return f"{self.address}/{NAME}"

    def put(self, key: str, content: bytes) -> None:
        self.client.put_object(Bucket=NAME, Key=key, Body=content, ACL="public-read")

    def put_article(self, name: str, xml: bytes | None = None, *, md5: str = "", **facts: object) -> None:
        """Version ``PMC1.2`` of an article, with facts for its metadata."""
        pmcid, _, version = name.partition(".")
        xml = article(f"Text of {name}.") if xml is None else xml
        md5 = md5 or hashlib.md5(xml).hexdigest()
        usual = {"pmcid": pmcid, "version": int(version), "doi": f"10.1/{pmcid}", "license_code": "CC BY"}
        usual |= {"is_pmc_openaccess": True, "is_retracted": False, "is_historical_ocr": False}
        usual["xml_url"] = f"s3://{NAME}/{name}/{name}.xml?md5={md5}"
        self.put(f"{name}/{name}.xml", xml)
        self.put(f"metadata/{name}.json", json.dumps(usual | facts).encode())

    def put_inventory(self, day: int, *parts: list[str]) -> None:
        """A day's inventory of articles, in files."""
        keys = [f"{DAY.format(day)}/{number}.csv.gz" for number in range(len(parts))]
        for key, names in zip(keys, parts, strict=True):
            row = f'"{NAME}","metadata/{{}}.json","2026-01-08T11:47:59.000Z","f25d9c5f5b85338f62156f"\n'
            self.put(key, gzip.compress("".join(map(row.format, names)).encode()))
        manifest = {"files": [{"key": key} for key in keys]}
        self.put(f"{DAY.format(day)}/manifest.json", json.dumps(manifest).encode())


class Handler(QuietHandler):
    def do_GET(self) -> None:
        server: Bucket = self.server
        server.asked.append(self.path.removeprefix(f"/{NAME}/"))
        name = server.asked[-1]
        time.sleep(server.slow)
        if server.busy[name] > 0:
            server.busy[name] -= 1
            return self.answer(503, b"", **{"Retry-After": "0"})
        if name.startswith("/converter"):
            dois = parse_qs(urlsplit(name).query)["ids"][0].split(",")
            found = [{"requested-id": doi, "pmcid": server.dois[doi]} for doi in dois if doi in server.dois]
            return self.answer(200, json.dumps({"records": found}).encode())
        found = urllib3.request("GET", server.moto + self.path)
        self.close_connection = server.cut[name] > 0
        server.cut[name] -= self.close_connection
        self.answer(found.status, found.data, len(found.data) // 2 if self.close_connection else None)


@pytest.fixture
def bucket(monkeypatch) -> Iterator[Bucket]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    host, port = moto.get_host_and_port()
    try:
        with Bucket(f"http://{host}:{port}") as bucket:
            monkeypatch.setattr(pmc_cloud, "CONVERTER", f"{bucket.address}/converter")
            yield bucket
    finally:
        urllib3.request("POST", f"http://{host}:{port}/moto-api/reset")
        moto.stop()
