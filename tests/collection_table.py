"""Write the table of the study's articles: python tests/collection_table.py FOLDER > resources/collection.tsv

FOLDER holds the former bulk packages: `pmc_oa_2021`, whose accessions are those of PubMed Central, and
`pmc_oa`, whose articles of eLife have numbers that stand in for PubMed Central's, so their DOIs name them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from sera.pubmed.articles import Collection
from sera.pubmed.pmc_cloud import text_sha256

_DOI = re.compile(rb'<article-id pub-id-type="doi"[^>]*>\s*([^<\s]+)\s*<')


def rows(folder: Path, parts: slice = slice(None)) -> Iterator[tuple[str, str, str]]:
    """``pmcid``, ``doi`` and ``text_sha256`` of each article, or of those in some parts of each folder."""
    for name in ("pmc_oa_2021", "pmc_oa"):
        collection = Collection(folder / name)
        for part in list(collection.parts)[parts]:
            for id, xml in collection.read(part, lambda xml, id: (id, xml)):
                found = _DOI.search(xml[: xml.find(b"<body")])
                doi = found[1].decode() if found else ""
                yield id if name == "pmc_oa_2021" else "", doi, text_sha256(xml)


if __name__ == "__main__":
    print("pmcid\tdoi\ttext_sha256")
    for row in sorted(rows(Path(sys.argv[1])), key=lambda row: (row[0] == "", int(row[0][3:] or 0), row[1])):
        print(*row, sep="\t")
