"""Multi-SummEval (Koto, Lau & Baldwin 2021): focus and coverage of two systems in eight languages.

A folder for each language has ``gold``, ``pred_BERT`` and ``pred_PG``, one text file per article, and
``score.csv`` (``id``, ``model``, ``focus``, ``coverage``; z-scores over the judges). The names of the files
are the ids, in Chinese with zeros before them. Articles are not in the release. Each language is a benchmark.

With two systems there is no correlation over systems, on a topic or over topics: only the global level is
defined. ROUGE-1.5.5's tokens are ASCII letters and digits, so that ROUGE is 0 for most
summaries in Chinese and Russian.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from sera import files, names
from sera.benchmarks import MULTI_SUMMEVAL_LANGUAGES, Topic, plain_texts
from sera.benchmarks import release as parts
from sera.errors import Faults, InputError
from sera.records import Judgement

QUALITIES = ("focus", "coverage")
MULTI_SUMMEVAL_FROM = (
    "Get the folder resulting_data of https://github.com/fajri91/Multi_SummEval: "
    "sera datasets get multi_summeval."
)


@dataclass(frozen=True)
class OneLanguage:
    """The part of the release in one language."""

    code: str
    JUDGED = True

    @property
    def RELEASE(self) -> tuple[str, int]:
        """Its title and number of topics."""
        return f"Multi-SummEval, {MULTI_SUMMEVAL_LANGUAGES[self.code]}", 135

    def inputs(self, *, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
        """``score.csv`` and all texts, sorted; InputError names what is missing."""
        folder = self._folder(release)
        table = parts.required(folder, ["score.csv"], MULTI_SUMMEVAL_FROM)
        rows = self._rows(release)
        systems = dict.fromkeys(system for _, system in rows)
        kinds = ["gold", *(f"pred_{system}" for system in systems)]
        files_of = {kind: self._files(release, kind) for kind in kinds}
        absent = [
            f"{kind}/{topic}"
            for topic in dict.fromkeys(topic for topic, _ in rows)
            for kind in kinds
            if topic not in files_of[kind]
        ]
        if absent:
            more = f" and {len(absent) - 5} more" if len(absent) > 5 else ""
            raise InputError(f"lacks {', '.join(absent[:5])}{more}", path=folder, remedy=MULTI_SUMMEVAL_FROM)
        return sorted([*table, *(parts.check_file(path) for of in files_of.values() for path in of.values())])

    def collection(self, release: str | Path) -> Path | None:
        """None, since the release has no articles."""
        return None

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        """The systems in the order of ``score.csv``, and the judgements; InputError for a wrong row."""
        return list(dict.fromkeys(system for _, system in self._rows(release))), list(QUALITIES)

    def has_nuggets(self, release: str | Path) -> bool:
        """False: no content units are marked."""
        return False

    def read(
        self, *, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full"
    ) -> list[Topic]:
        """The articles in the order of ``score.csv``, each with an empty source.

        ``pyramids`` and ``cleaning`` have no effect. InputError as in `inputs`, and with file and line for a
        row that is repeated or has a score that is no number.
        """
        self.inputs(release=release)
        rows = self._rows(release)
        systems, judgements = self.judged(release)
        gold = self._files(release, "gold")
        texts = {system: self._files(release, f"pred_{system}") for system in systems}
        return [
            plain_texts.topic(
                topic,
                (),
                {"gold": files.read_text(gold[topic])},
                {system: files.read_text(texts[system][topic]) for system in systems},
                judgements=[
                    Judgement(topic, system, name, score)
                    for system in systems
                    if (topic, system) in rows
                    for name, score in zip(judgements, rows[topic, system], strict=True)
                ],
            )
            for topic in dict.fromkeys(topic for topic, _ in rows)
        ]

    def _folder(self, release: str | Path) -> Path:
        """The language's folder in the release, or the release if it is this folder."""
        folder = Path(release, self.code.upper())
        return Path(release) if not folder.is_dir() and Path(release, "score.csv").is_file() else folder

    def _files(self, release: str | Path, kind: str) -> dict[str, Path]:
        """The files of a kind by id."""
        folder = self._folder(release) / kind
        if not parts.is_folder(folder):
            return {}
        return {path.name.lstrip("0") or "0": path for path in parts.entries(folder)}

    def _rows(self, release: str | Path) -> dict[tuple[str, str], tuple[float, ...]]:
        """The scores of each topic and system."""
        (path,) = parts.required(self._folder(release), ["score.csv"], MULTI_SUMMEVAL_FROM)
        found: dict[tuple[str, str], tuple[float, ...]] = {}
        faults = Faults()
        reader = csv.DictReader(line + "\n" for _, line in files.lines(path))
        for row in reader:
            try:
                key = names.check("topic", row["id"]), names.check("system", row["model"])
                scores = tuple(float(row[name]) for name in QUALITIES)
                if key in found:
                    raise InputError(f"repeats {key[1]} of {key[0]}")
                found[key] = scores
            except (KeyError, TypeError, ValueError) as error:
                problem = error.problem if isinstance(error, InputError) else f"has no usable {error}"
                faults.append(
                    InputError(problem, path=path, line=reader.line_num, remedy=MULTI_SUMMEVAL_FROM)
                )
        faults.raise_all()
        if not found:
            raise InputError("holds no judgement", path=path, remedy=MULTI_SUMMEVAL_FROM)
        return found


DE, EN, ES, FR, ID, RU, TR, ZH = map(OneLanguage, MULTI_SUMMEVAL_LANGUAGES)
