"""Draw open-access articles of PubMed Central that are neither retracted nor scans.

    .venv/bin/python bench/sample_articles.py --number 20000 --seed 1 --before PMC4800000 --out ids.txt

The list is for `sera corpus download --ids`. The newest inventory of NLM's bucket has the ids; of several
versions, the newest counts. A hash of seed and id ranks the ids, and the metadata are read in this order
until there are enough articles: a shorter list begins a longer one, and new articles change no rank.
"""

import argparse
import gzip
import hashlib
import re
import sys
from collections.abc import Iterator

from sera.errors import InputError
from sera.io.download import NotThere, fetch_all, read_address
from sera.io.files import writing
from sera.progress import Progress
from sera.pubmed.pmc_cloud import ID, SOURCE, is_marked, read_json

_INVENTORY = "inventory-reports/pmc-oa-opendata/metadata/"
_BATCH = 64  # articles whose metadata are read before they are counted
_LAST = "PMC999999999"  # the largest number
_METADATA = re.compile(rb'"metadata/PMC(\d+)\.(\d+)\.json"')


def sample(number: int, *, seed: int = 1, before: str = _LAST, source: str = SOURCE) -> list[str]:
    """Draw articles, as ``PMC13901.2``; InputError if there are too few.

    before:  draw among the ids with a smaller number, as ``PMC4800000``
    """
    bucket = source.rstrip("/")
    match = ID.fullmatch(before)
    if not match or match[2]:
        raise InputError(f"{before!r} is not an id", remedy="Give an id like PMC4800000.")
    newest: dict[int, int] = {}
    with Progress("ids read") as report:
        for id, version in _inventory(bucket):
            report.advance()
            if id < int(match[1][3:]):
                newest[id] = max(newest.get(id, 0), version)
    order = sorted(newest, key=lambda id: hashlib.blake2b(b"%d PMC%d" % (seed, id), digest_size=8).digest())

    def is_usable(name: str) -> bool:
        try:
            facts = read_json(f"{bucket}/metadata/{name}.json")
        except NotThere:  # gone since the inventory
            return False
        refused = is_marked(facts, "is_retracted") or is_marked(facts, "is_historical_ocr")
        return is_marked(facts, "is_pmc_openaccess") and not refused

    names: list[str] = []
    with Progress("articles drawn", number) as report:
        for start in range(0, len(order), _BATCH):
            batch = [f"PMC{id}.{newest[id]}" for id in order[start : start + _BATCH]]
            usable, faults = fetch_all(is_usable, batch, "metadata read")
            faults.raise_all()
            names += (drawn := [name for name, good in zip(batch, usable, strict=True) if good])
            report.advance(len(drawn))
            if len(names) >= number:
                return names[:number]
    raise InputError(f"there are only {len(names)} such articles", path=bucket, remedy="Draw fewer.")


def _inventory(bucket: str) -> Iterator[tuple[int, int]]:
    """The numbers and versions of the newest inventory of the metadata, which has a line for each article."""
    listing = read_address(f"{bucket}/?list-type=2&prefix={_INVENTORY}&delimiter=/").decode()
    days = re.findall(rf"<Prefix>{_INVENTORY}(\d{{4}}-\d\d-\d\dT\d\d-\d\dZ)/</Prefix>", listing)
    if not days:
        raise InputError("has no inventory", path=f"{bucket}/{_INVENTORY}", remedy="Check the address.")
    manifest = read_json(f"{bucket}/{_INVENTORY}{max(days)}/manifest.json")
    for file in manifest["files"]:
        content = gzip.decompress(read_address(f"{bucket}/{file['key']}"))
        for match in _METADATA.finditer(content):
            yield int(match[1]), int(match[2])


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--number", type=int, required=True, help="number of articles to draw")
    parser.add_argument("--seed", type=int, default=1, help="seed of the draw")
    parser.add_argument(
        "--before", default="PMC999999999", metavar="PMCID", help="draw among smaller numbers"
    )
    parser.add_argument("--out", required=True, help="list to write")
    parser.add_argument("--source", default=SOURCE, help="mirror of the bucket, or a server with its layout")
    given = parser.parse_args(arguments)
    if given.number < 1:
        parser.error("--number is below 1")
    try:
        names = sample(given.number, seed=given.seed, before=given.before, source=given.source)
        with writing(given.out) as stream:
            stream.writelines(f"{name}\n" for name in names)
    except InputError as error:
        sys.exit("\n".join(error.lines))
    print(f"{len(names)} articles in {given.out}")


if __name__ == "__main__":
    main()
