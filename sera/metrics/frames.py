"""Frame-N: recall of n-grams where nouns and verbs are replaced by frames (Peyrard et al. 2017, section 3.1).

Other words are stemmed, stop words stay, and several references are pooled, as in S3's ROUGE-N. The paper
uses the frame that a trained labeller chooses in context (Hartmann et al. 2017). Here it is that of the
word's lexical unit in a FrameNet release (Baker, Fillmore & Lowe 1998): among several the one with the most
annotated sentences, and among equals the first in the alphabet. Units of more than one word are ignored.

Parts of speech are TextBlob's. Words are matched with lemmas by their stems (WordNet's irregular forms, else
Porter's algorithm), as in ROUGE.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

from sera.errors import InputError
from sera.extras import extra_for
from sera.io.files import damage, read_bytes
from sera.metrics.base import Metric, Text, signature
from sera.metrics.rouge.measures import Rouge
from sera.metrics.rouge.preparation import exceptions, rouge_porter
from sera.metrics.rouge.preparation import stem as rouge_stem
from sera.metrics.rouge.tokens import tokenize
from sera.metrics.s3.words import CITATION

HOW_TO_GET = (
    "Ask for the data at https://framenet.icsi.berkeley.edu (free for research), unpack it, and name the "
    "folder that holds `frame`: the setting framenet of a study, --framenet FOLDER on the command line, "
    "frames=FrameNet(folder) in Python."
)
_NAMESPACE = "{http://framenet.icsi.berkeley.edu}"
_POS = {"N": "NN", "V": "VB"}  # parts of speech of lexical units, and the begin of TextBlob's tags for them


class FrameNet:
    """The frames of a release's nouns and verbs.

    ``frames`` has the name of the frame by (stem, "NN" or "VB"). InputError for a folder that is not a
    release, and for a file that is not a frame.
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        with damage(folder):
            paths = sorted(Path(folder, "frame").glob("*.xml"))
        if not paths:
            problem = "is not a release of FrameNet: it has no frame/*.xml"
            raise InputError(problem, path=folder, remedy=HOW_TO_GET)
        sentences: dict[tuple[str, str], Counter[str]] = {}
        for path in paths:
            for key, frame, number in _lexical_units(path):
                sentences.setdefault(key, Counter())[frame] += number
        self.frames = {
            key: min(counts, key=lambda frame: (-counts[frame], frame))
            for key, counts in sorted(sentences.items())
        }
        digest = hashlib.sha256(repr(list(self.frames.items())).encode())
        self.name = f"{Path(folder).name}#{digest.hexdigest()[:8]}"

    def tokens(self, sentence: str) -> list[str]:
        """The tokens of a sentence: the frame of a noun or verb that has one, else ROUGE's stems."""
        with extra_for("Frame"):
            from textblob.en import parse  # slow to import

        tokens: list[str] = []
        # word/TAG, separated by blanks or by line ends between sentences; a slash in a word is &slash;
        for token in str.split(parse(sentence, chunks=False)):
            word, _, rest = token.partition("/")
            word = word.replace("&slash;", "/").lower()
            frame = self.frames.get((_stem(word), rest[:2]))
            if frame is not None:
                tokens.append(frame)
            else:
                tokens += [rouge_stem(part.decode()) for part in tokenize(word.encode("utf-8", "replace"))]
        return tokens


def _stem(word: str) -> str:
    return exceptions().get(word) or rouge_porter(word)


def _lexical_units(path: Path) -> list[tuple[tuple[str, str], str, int]]:
    """The one-word nouns and verbs of a frame: (stem, part of speech), frame, annotated sentences."""
    with extra_for("Frame"):
        from sera.pubmed.jats import parse_xml

    try:
        root = parse_xml(read_bytes(path, "a frame of FrameNet"))
        if root.tag != f"{_NAMESPACE}frame" or not (frame := root.get("name")):
            raise InputError("is not a frame of FrameNet")
    except InputError as error:
        raise InputError(error.problem, path=path, remedy=HOW_TO_GET) from None
    units = []
    for unit in root.iterfind(f"{_NAMESPACE}lexUnit"):
        lexemes = [lexeme.get("name", "") for lexeme in unit.iterfind(f"{_NAMESPACE}lexeme")]
        count = unit.find(f"{_NAMESPACE}sentenceCount")
        number = "0" if count is None else count.get("annotated", "0")
        if unit.get("POS") in _POS and len(lexemes) == 1:
            units.append(((_stem(lexemes[0].lower()), _POS[unit.get("POS")]), frame, int(number)))
    return units


def open_frames(files: Mapping[str, Any], texts: Iterable[Any]) -> FrameNet:
    """The release in the folder ``framenet``."""
    return FrameNet(files["framenet"])


@dataclass(frozen=True)
class Frame(Metric):
    """Frame-N, N from 1 to 9, with the ``frames`` of a release; without them it has a name but no scores."""

    n: int
    frames: FrameNet | None = None

    pattern: ClassVar[str] = "Frame-(?P<n>[1-9])"
    listed: ClassVar = ("Frame-1", "Frame-2")
    measures: ClassVar[str] = "recall of {grams}, nouns and verbs replaced by their frames"
    needed: ClassVar = {"frames": ("is not available without a release of FrameNet", HOW_TO_GET)}
    citation: ClassVar[str] = CITATION

    @property
    def signature(self) -> str:
        frames = getattr(self.frames, "name", None)
        return signature(self.name, frames=frames, stem=True, stop="kept", refs="pooled", **self.sign_texts())

    @classmethod
    def score_together(
        cls, metrics: Sequence[Any], candidate: Text, references: Sequence[Text], source: Text | None = None
    ) -> list[float]:
        """Scores from 0 to 1, with five decimals; each text is tagged once."""
        rouge = []
        for metric in metrics:
            metric.ready()
            tokens = metric.frames.tokens
            rouge.append(Rouge(str(metric.n), part="R", stem=False, stop=False, tokenizer=tokens))
        return Rouge.score_together(rouge, candidate, references)
