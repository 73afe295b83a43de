"""Download articles of PubMed Central from its bucket.

The PMC Cloud Service of the National Library of Medicine is the world-readable bucket ``pmc-oa-opendata``
(https://pmc.ncbi.nlm.nih.gov/tools/pmcaws/). Version 2 of article PMC13901 is ``PMC13901.2/PMC13901.2.xml``,
and ``metadata/PMC13901.2.json`` has its licence, its mark of retraction and the MD5 of the XML.
"""

import hashlib
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pandas as pd

from sera.errors import Faults, InputError
from sera.io import files, tsv
from sera.io.download import NotThere, fetch_all, fetch_file, read_address
from sera.pubmed import jats
from sera.pubmed.articles import TABLE

SOURCE = "https://pmc-oa-opendata.s3.amazonaws.com"
CONVERTER = "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/"
DIFFERENCES = "differences.tsv"  # the articles whose text is not the listed one, in the folder

_DOIS = 200  # that the converter takes in a request
ID = re.compile(r"(PMC[1-9]\d*)(?:\.([1-9]\d*))?", re.ASCII)
_COMMENT = "#"
_GIVE = "Give each article once, by an id like PMC13901 or PMC13901.2, or by a DOI in a column doi."


class Wanted(NamedTuple):
    """A row of a list of articles; what the list does not state is empty."""

    pmcid: str
    version: str = ""
    doi: str = ""
    sha256: str = ""
    text_sha256: str = ""

    def __str__(self) -> str:
        return self.doi if not self.pmcid else f"{self.pmcid}.{self.version}".rstrip(".")


class Row(NamedTuple):
    """An article in a folder: a row of its `TABLE`. ``md5`` and ``sha256`` are those of the XML."""

    pmcid: str
    version: str
    doi: str
    licence: str
    retracted: str
    md5: str
    sha256: str


def download(folder: str | Path, ids: str | Path, *, source: str = SOURCE) -> tuple[list[Row], int]:
    """Download the articles that a list names into ``folder``; docs/data.md describes lists and folders.

    source:     address of the bucket, of a mirror, or of a server with its layout

    Without a version, the newest is taken. XML that is in the folder already, with the right MD5, is not
    asked for again. Returns the table's rows by number, and how many articles have another text than listed:
    `DIFFERENCES` has these. Raises InputError for a list that is wrong and, after all other articles, for
    those that are not there, cannot be read, or have another SHA-256 than listed; the table has the others
    then.
    """
    folder, bucket = Path(folder), source.rstrip("/")
    articles, unknown = _add_ids(read_list(ids))
    found, faults = fetch_all(partial(_fetch, folder, bucket), articles, "articles fetched")
    rows = [row for row, _, _ in found]
    differences = [
        (row.pmcid, row.version, row.doi, listed, text) for row, listed, text in found if text != listed
    ]
    rows = sorted(set(rows), key=lambda row: (int(row.pmcid[3:]), int(row.version)))
    tsv.write(folder / TABLE, pd.DataFrame(rows, columns=Row._fields))
    (folder / DIFFERENCES).unlink(missing_ok=True)
    if differences:
        columns = ["pmcid", "version", "doi", "text_sha256", "found"]
        tsv.write(folder / DIFFERENCES, pd.DataFrame(differences, columns=columns))
    Faults([*unknown, *faults]).raise_all()
    return rows, len(differences)


def read_list(path: str | Path) -> list[Wanted]:
    """Read a list of articles: ids a line, or a table (TSV or CSV) with the columns of `Wanted`.

    It has ``pmcid`` or, for an empty pmcid, ``doi``. Ids may be in lower case. Lines that begin with ``#``,
    and the rest of a line of ids after it, do not count. Raises InputError, with up to ten lines, for a row
    without an id, an id of another form, and an article that is there twice in different ways.
    """
    content = files.lines(path, "a list of articles")
    first = next((line for _, line in content if line.partition(_COMMENT)[0].strip()), "")
    rows: Iterable[tuple[int, list[str]]]
    if ID.fullmatch(first.partition(_COMMENT)[0].strip().upper()):
        ids = ((number, line.partition(_COMMENT)[0]) for number, line in files.lines(path))
        rows = ((number, [id, *[""] * 4]) for number, id in ids if id.strip())
    else:
        header = {name.strip(" \"'") for name in re.split("[\t,;]", first)}
        column = "doi" if "doi" in header and "pmcid" not in header else "pmcid"
        rows = tsv.iterate(path, [column], optional=Wanted._fields, comment=_COMMENT)
        rows = ((line, cells[1:]) for line, cells in rows)
    articles: dict[str, Wanted] = {}
    faults = Faults()
    for line, cells in rows:
        pmcid, version, doi, *sums = map(str.strip, cells)
        if (pmcid or doi).startswith(_COMMENT):
            continue
        match = ID.fullmatch(f"{pmcid}.{version}".upper() if version else pmcid.upper())
        id, number = match.groups("") if match else ("", version)
        each = Wanted(id, number, doi, *sums)
        problem = ""
        if not match and (pmcid or not doi):
            problem = f"{pmcid or 'an empty cell'} is not an id"
        elif articles.setdefault(str(each), each) != each:
            problem = f"{each} is there twice"
        if problem:
            faults.append(InputError(problem, path=path, line=line, remedy=_GIVE))
    faults.raise_all()
    return list(articles.values())


def text_sha256(xml: bytes) -> str:
    """`Document.sha256` of an article, without captions; empty if it cannot be read."""
    try:
        return jats.read_article(xml, "x").sha256
    except InputError:
        return ""


def _add_ids(articles: list[Wanted]) -> tuple[list[Wanted], Faults]:
    """The articles, with the ids of those that have a DOI alone; a fault for each DOI without an id."""
    dois = [each.doi for each in articles if not each.pmcid]
    ids: dict[str, str] = {}
    for start in range(0, len(dois), _DOIS):
        batch = quote(",".join(dois[start : start + _DOIS]), safe="")
        answer = read_json(f"{CONVERTER}?tool=sera&format=json&idtype=doi&ids={batch}")
        for record in answer.get("records", ()):
            match = ID.fullmatch(str(record.get("pmcid")))
            ids[str(record.get("requested-id", record.get("doi"))).lower()] = match[1] if match else ""
    completed = [each._replace(pmcid=each.pmcid or ids.get(each.doi.lower(), "")) for each in articles]
    problem = "PubMed Central has no article with the DOI"
    unknown = [InputError(f"{problem} {each}", remedy="Remove it.") for each in completed if not each.pmcid]
    return [each for each in completed if each.pmcid], Faults(unknown)


def _fetch(folder: Path, bucket: str, each: Wanted) -> tuple[Row, str, str]:
    """The row of an article, which is in the folder then, and its text's SHA-256, as listed and today."""

    def check(xml: bytes) -> None:
        if each.sha256 not in ("", digest := hashlib.sha256(xml).hexdigest()):
            problem = f"{name} changed: its SHA-256 is {digest}, not {each.sha256} as listed"
            raise InputError(problem, remedy="To accept the change, take the SHA-256 out of the list.")

    try:
        version = each.version or _newest(bucket, each)
        name = f"{each.pmcid}.{version}"
        facts = read_json(f"{bucket}/metadata/{name}.json")
        md5 = str(facts.get("xml_url")).rpartition("?md5=")[2].lower()
        path = folder / f"PMC{int(each.pmcid[3:]) // 10**6:03d}xxxxxx" / f"{name}.xml"
        xml = fetch_file(path, f"{bucket}/{name}/{name}.xml", "md5", md5, check)
    except NotThere:
        raise InputError(f"{each} is not in {bucket}", remedy="Remove it from the list.") from None
    mark = "yes" if is_marked(facts, "is_retracted") else "no"
    licence, doi = str(facts.get("license_code") or ""), str(facts.get("doi") or each.doi)
    row = Row(each.pmcid, version, doi, licence, mark, md5, hashlib.sha256(xml).hexdigest())
    return row, each.text_sha256, text_sha256(xml) if each.text_sha256 else ""


def _newest(bucket: str, each: Wanted) -> str:
    listing = read_address(f"{bucket}/?list-type=2&prefix={each.pmcid}.&delimiter=/")
    versions = [int(number) for number in re.findall(rb"<Prefix>PMC\d+\.(\d+)/</Prefix>", listing)]
    if not versions:
        raise NotThere("has no version", path=f"{bucket}/{each.pmcid}")
    return str(max(versions))


def read_json(url: str) -> dict[str, Any]:
    """The object of JSON at an address."""
    content = files.parse_json(read_address(url).decode("utf-8", "replace"), path=url)
    if not isinstance(content, dict):
        raise InputError("is not an object of JSON", path=url, remedy="Check the address.")
    return content


def is_marked(facts: dict[str, Any], name: str) -> bool:
    """Whether the metadata of an article say yes to a question, such as ``is_retracted``."""
    return str(facts.get(name)).lower() in ("true", "yes", "1")
