"""SciTLDR (Cachola et al. 2020): papers with summaries of one sentence, and judgements of some of these.

The data is as released: ``SciTLDR-Data/SciTLDR-A/<split>.jsonl`` has one paper a line, with ``paper_id``,
``title``, ``source`` (the sentences of the abstract) and ``target`` (the summaries: the first by an author,
the others from reviews). ``SciTLDR-AIC`` has abstract, introduction and conclusion as ``source``, and
``SciTLDR-FullText`` the whole paper. The topics are the papers of the test split, on which Cachola et al.
and ROUGE-K's paper evaluate; `splits` has those of the other splits too.

`INFORMATIVENESS` has four systems on 51 papers of the test split. ``analysis/tldr_pred_nuggets.csv`` has a
row for each paper and system: the summary, and for each of six kinds of information whether people found it
there (1) or not (0). The judgement ``informativeness``, 0 to 6, is the number of kinds that were found.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from sera.benchmarks import Benchmark, Topic, as_document, check_complete_judgements, with_records
from sera.benchmarks import release as parts
from sera.errors import InputError, checked_each
from sera.io.fields import Fields, Once, read_objects, read_rows
from sera.io.records import Candidate, Judgement, Reference, Section, Source

SPLITS = ("train", "dev", "test")
STUDIED_SPLIT = "test"  # whose papers are the topics

SCITLDR_FROM = (
    "Get SciTLDR (public, Apache-2.0): https://github.com/allenai/scitldr, and name its folder, which has "
    "SciTLDR-Data/SciTLDR-A in it, and analysis for its judgements."
)


def inputs(release: str | Path) -> list[Path]:
    """The files of the splits, sorted; InputError if that of the test split is missing, or for a link."""
    return sorted(_files(release).values())


def read(release: str | Path) -> list[Topic]:
    """The papers of the test split in the order of the file: a topic's and an article's id is ``paper_id``.

    The annotators are ``author``, ``review_1`` and so on.
    """
    return _papers(_files(release)[STUDIED_SPLIT])


def splits(*, release: str | Path) -> Iterator[tuple[str, list[Topic]]]:
    """The name and the papers of each split whose file is there."""
    return ((split, _papers(path)) for split, path in _files(release).items())


def of_input(release: str | Path, kind: str = "A") -> Path:
    """The folder of the input ``A``, ``AIC`` or ``FullText``: in the release, or the one in its place."""
    data = Path(release, "SciTLDR-Data")
    return data / f"SciTLDR-{kind}" if data.is_dir() else Path(release)


def _files(release: str | Path) -> dict[str, Path]:
    """The files of the splits that are there."""
    folder = of_input(release)
    there = [name for name in SPLITS if name == STUDIED_SPLIT or (folder / f"{name}.jsonl").exists()]
    paths = parts.required(folder, [f"{name}.jsonl" for name in there], SCITLDR_FROM)
    return dict(zip(there, paths, strict=True))


def _papers(path: Path) -> list[Topic]:
    once = Once()
    papers = checked_each(lambda row: _paper(row, once), read_objects(path, SCITLDR_FROM))
    if not papers:
        raise InputError("holds no paper", path=path, remedy=SCITLDR_FROM)
    return papers


def _paper(row: Fields, once: Once) -> Topic:
    id_, title = row.text("paper_id", "topic"), row.text("title")
    once.check(id_, row, "paper")
    sentences, summaries = (
        tuple(" ".join(text.split()) for text in row.items(name, str)) for name in ("source", "target")
    )
    if not any(sentences) or not summaries or not all(summaries):
        raise row.fault("has no sentence in source, or an empty summary in target")
    source = Source(id_, id_, title, (Section("", tuple(filter(None, sentences))),))
    annotators = ["author", *(f"review_{number}" for number in range(1, len(summaries)))]
    return Topic(
        id=id_,
        source=source,
        references=tuple(
            Reference(id_, annotator, (text,)) for annotator, text in zip(annotators, summaries, strict=True)
        ),
        documents=(as_document(source),),
    )


class Informativeness(Benchmark):
    """The judged papers, with their references of the test split."""

    JUDGED = True
    RELEASE = "SciTLDR's judged papers", 51
    TABLE = "analysis/tldr_pred_nuggets.csv"
    INFORMATION = (
        *("area_field_topic", "problem_motivation", "mode_of_contrib"),
        *("details_descrip", "results_findings", "value_signif"),
    )

    def inputs(self, release: str | Path) -> list[Path]:
        return sorted([*parts.required(release, [self.TABLE], SCITLDR_FROM), *inputs(release=release)])

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        return sorted({candidate.system for candidate, _ in self._rows(release)}), ["informativeness"]

    def read(self, release: str | Path) -> list[Topic]:
        """The judged papers in SciTLDR's order; InputError too for one that is not in the test split."""
        self.inputs(release=release)
        rows, path = self._rows(release), Path(release, self.TABLE)
        check_complete_judgements(path, (judgement for _, judgement in rows))
        judged_papers = {judgement.topic for _, judgement in rows}
        papers = [paper for paper in read(release) if paper.id in judged_papers]
        if absent := sorted(judged_papers - {paper.id for paper in papers}):
            problem = f"has the paper {absent[0]}, which is not in SciTLDR's test split"
            raise InputError(problem, path=path, remedy="Use the judgements and the papers of one release.")
        return with_records(papers, chain(*rows))

    def _rows(self, release: str | Path) -> list[tuple[Candidate, Judgement]]:
        """The summary and the judgement of each row."""
        once = Once()
        columns = ("paper_id", "auth_pr", "tldr", *self.INFORMATION)
        rows = read_rows(Path(release, self.TABLE), columns, SCITLDR_FROM)
        return checked_each(lambda row: self._row(row, once), rows)

    def _row(self, row: Fields, once: Once) -> tuple[Candidate, Judgement]:
        topic, system = row.text("paper_id", "topic"), row.text("auth_pr", "system")
        once.check((topic, system), row, f"summary of {topic} by {system}")
        if wrong := [name for name in self.INFORMATION if row.text(name) not in ("0", "1")]:
            cell = row.text(wrong[0])[:40]
            raise row.fault(f"has {cell!r} in the column {wrong[0]}, which is neither 0 nor 1")
        if not (text := " ".join(row.text("tldr").split())):
            raise row.fault("has no summary")
        score = float(sum(row.text(name) == "1" for name in self.INFORMATION))
        return Candidate(topic, system, (text,)), Judgement(topic, system, "informativeness", score)


INFORMATIVENESS = Informativeness()


SCITLDR = Benchmark(
    inputs=inputs,
    read=read,
    splits=splits,
    LACKS=("nuggets", "citances"),
    RELEASE=("SciTLDR's test split", 618),
)
