"""The journal and the publisher of the articles of a package.

The corpus step keeps an article's text alone. This reads the package again, for the articles that the corpus
has, and leaves the corpus as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath

from sera.corpora import jats
from sera.corpora.archives import DAMAGE, Archive, NoList, file_list, plain_name, read_list, refusal
from sera.errors import InputError
from sera.io import tsv
from sera.io.files import writing
from sera.progress import progress

_COLUMNS = ("document", "journal", "publisher")


def published(
    package: str | Path, documents: Collection[str], left_out: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Id, journal and publisher of the documents that were read from one package, in the package's order.

    documents:  the ids of the documents that `sera.corpora.pmc_oa.extract` gave
    left_out:   members that were not read, as for `extract`

    Journal and publisher are empty if the article names none.

    What cannot be read was no document, so it is passed over. Raises InputError for a list of files that
    cannot be read to its end.
    """
    package = Path(package)
    try:
        ids = {listed.member: listed.id for listed in read_list(file_list(package))}
    except NoList:
        ids = {}
    wanted = set(documents)
    for member, content in progress(Archive(package), f"journals of {package.name} read"):
        name = plain_name(member.name)
        id = ids.get(name) or PurePosixPath(name).stem
        if id not in wanted or name in left_out or refusal(member):
            continue
        try:
            journal, publisher = jats.read_journal(content())
        except DAMAGE:
            return
        except InputError:
            continue
        wanted.remove(id)
        yield id, journal, publisher


def write_journals(
    package: str | Path, documents: Collection[str], left_out: Mapping[str, str], path: str | Path
) -> None:
    """Write the rows of `published` as a TSV with the header ``document journal publisher``."""
    with writing(path) as table:
        table.write("\t".join(_COLUMNS) + "\n")
        for row in published(package, documents, left_out):
            table.write("\t".join(tsv.cell(each) for each in row) + "\n")


def read_journals(path: str | Path) -> dict[str, str]:
    """The journal of each document of a file of `write_journals`, by the document's id."""
    rows = tsv.read(path, _COLUMNS)
    return dict(zip(rows["document"], rows["journal"], strict=True))
