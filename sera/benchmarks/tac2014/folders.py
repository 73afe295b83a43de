"""The folders and files of TAC 2014 BiomedSumm and of its Pyramid annotations: found and missing parts."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from sera import names
from sera.benchmarks import release as parts
from sera.errors import InputError

log = logging.getLogger(__name__)

ANNOTATORS = 4  # per topic; their letters differ by topic

RELEASE_FROM = (
    "Get the release from NIST: sign the TAC 2014 BiomedSumm data agreement "
    "(https://tac.nist.gov/2014/BiomedSumm/), unpack the archive and name its folder."
)
PYRAMIDS_FROM = (
    "Get them with `git clone https://github.com/acohan/TAC-Pyramid-Annotations` (MIT) and name the folder."
)


def inputs(*, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """All files that `read` reads, sorted; folders are listed, but no file is opened.

    ``release`` may be the release's folder, its ``data``, the folder above, or the folder of a topic (which
    stands for all topics beside it); ``pyramids`` is the repository's folder or its ``annotations``.

    InputError names all missing parts, where they were looked for and how to get them: no topic, fewer than
    four annotation files or four summaries in a topic, no documents, no nuggets at all. InputError also for a
    topic with two folders, a link, pipe or folder in place of a file, and an annotator with two files.
    """
    paths: list[Path] = []
    folders = topic_folders(release)
    missing = []
    for folder in folders:
        inside = {kind: files_of(folder / kind, suffix) for kind, suffix in SUFFIXES.items()}
        for kind in ("Annotation", "Summary"):
            by_annotator(inside[kind], folder, SUFFIXES[kind])
        for kind, found in inside.items():
            least = 1 if kind == "Documents_Text" else ANNOTATORS
            if len(found) < least:
                missing.append(f"{folder.name}/{kind}/*{SUFFIXES[kind]} ({len(found)} of {least})")
        paths += [path for found in inside.values() for path in found]
    if missing:
        raise InputError(f"lacks {', '.join(missing)}", path=folders[0].parent, remedy=RELEASE_FROM)
    if pyramids is not None:
        nuggets = nugget_files(pyramids)
        known = {topic_id(folder) for folder in folders}
        paths += [path for topic, files in nuggets.items() if topic in known for path in files.values()]
    return sorted(paths)


SUFFIXES = {"Annotation": ".ann.txt", "Documents_Text": ".txt", "Summary": ".summary.txt"}
_TOPIC = re.compile(r"(D[0-9]{4})(?:_\w+)?")
_NUGGETS = re.compile(r"(d[0-9]{4})-([a-z])\.ann", re.IGNORECASE | re.ASCII)


def topic_id(folder: Path) -> str:
    """The id of the topic of a folder: ``D1401`` for ``D1401_TRAIN``."""
    match = _TOPIC.fullmatch(folder.name)
    assert match is not None
    return match[1]


def topic_folders(release: str | Path) -> list[Path]:
    """The folders of the topics, sorted; InputError if there are none, or two for a topic."""
    release = Path(release)
    if not release.is_dir():
        raise InputError(
            "there is no such folder; expected the TAC 2014 BiomedSumm release",
            path=release,
            remedy=RELEASE_FROM,
        )
    if _is_topic(release.resolve()):
        release = release.resolve().parent
    for folder in _near(release):
        if found := [child for child in parts.folders(folder) if _is_topic(child)]:
            ids: dict[str, Path] = {}
            for child in filter(parts.is_folder, found):
                if (other := ids.setdefault(topic_id(child), child)) is not child:
                    raise InputError(
                        f"is topic {topic_id(child)}, and so is {other.name}",
                        path=child,
                        remedy="Keep one of them.",
                    )
            return found
    raise InputError(
        "holds no topic: looked there and two levels below for folders such as D1401_TRAIN with Annotation, "
        "Documents_Text and Summary",
        path=release,
        remedy=RELEASE_FROM,
    )


def _near(folder: Path) -> Iterator[Path]:
    """A folder and the folders up to two levels below, without links and unreadable folders."""
    yield folder
    level = [folder]
    for _ in range(2):
        level = [child for above in level for child in _plain_folders(above)]
        yield from level


def _plain_folders(folder: Path) -> list[Path]:
    try:
        return [path for path in parts.folders(folder) if not path.is_symlink()]
    except InputError:
        return []


def _is_topic(folder: Path) -> bool:
    return bool(_TOPIC.fullmatch(folder.name)) and any((folder / part).is_dir() for part in SUFFIXES)


def files_of(folder: Path, suffix: str) -> list[Path]:
    """The files of a folder with a suffix in upper or lower case, by name; none if the folder is missing.

    InputError for anything else with the suffix (`release.check_file`).
    """
    if not parts.is_folder(folder):
        return []
    return [parts.check_file(path) for path in parts.entries(folder) if _ends(path, suffix)]


def _ends(path: Path, suffix: str) -> bool:
    return path.name.lower().endswith(suffix)


def warn_of_others(topic: Path) -> None:
    """Log a warning for each file of a topic that is ignored because of its name."""
    for kind, suffix in SUFFIXES.items():
        for path in parts.entries(topic / kind):
            if not _ends(path, suffix):
                log.warning("%s is ignored: its name does not end in %s", path, suffix)


def by_annotator(files: Iterable[Path], topic: Path, suffix: str) -> dict[str, Path]:
    """Files by the annotator's letter, as in ``D1401_TRAIN.A.summary.txt``.

    InputError for another name, and for two files with the same letter.
    """
    found: dict[str, Path] = {}
    for path in files:
        of, _, annotator = path.name[: -len(suffix)].partition(".")
        if of not in (topic.name, topic_id(topic)) or "." in annotator:
            raise InputError(
                f"is not named {topic.name}.<annotator>{suffix}",
                path=path,
                remedy="Rename it.",
            )
        names.check("annotator", annotator, path=path)
        if annotator in found:
            raise InputError(
                f"annotator {annotator} has {found[annotator].name} too",
                path=path,
                remedy="Keep one of them.",
            )
        found[annotator] = path
    return found


def nugget_files(folder: str | Path) -> dict[str, dict[str, Path]]:
    """The files of nuggets by topic and annotator, sorted; InputError if there are none."""
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(
            "there is no such folder; expected the Pyramid annotations", path=folder, remedy=PYRAMIDS_FROM
        )
    for candidate in _near(folder):
        found: dict[str, dict[str, Path]] = {}
        for path in parts.entries(candidate):
            if not (match := _NUGGETS.fullmatch(path.name)):
                continue
            topic, annotator = match[1].upper(), match[2].upper()
            other = found.setdefault(topic, {}).setdefault(annotator, parts.check_file(path))
            if other is not path:
                raise InputError(
                    f"{other.name} is of the same topic and annotator", path=path, remedy="Keep one of them."
                )
        if found:
            return found
    raise InputError(
        "holds no nuggets: looked there and two levels below for files such as d1401-A.ann",
        path=folder,
        remedy=PYRAMIDS_FROM,
    )


def warn_of_other_nuggets(nuggets: dict[str, dict[str, Path]], topics: set[str]) -> None:
    """Log a warning for each file of nuggets that is ignored because of its name or topic."""
    for folder in {path.parent for files in nuggets.values() for path in files.values()}:
        for path in parts.entries(folder):
            if _ends(path, ".ann") and not _NUGGETS.fullmatch(path.name):
                log.warning("%s is ignored: it is not named like d1401-A.ann", path)
        for topic in sorted(nuggets.keys() - topics):
            log.warning("%s: the release has no topic %s; its nuggets are ignored", folder, topic)
