"""Convert XSum (Narayan, Cohen & Lapata 2018) to folders of articles and summaries, one for each split.

Usage: .venv/bin/python examples/convert_xsum.py XSUM

XSUM has the release's layout: ``XSum-TRAINING-DEV-TEST-SPLIT-90-5-5.json`` and
``bbc-summary-data/<id>.summary``.
The folders ``my_xsum``, ``my_xsum_dev`` and ``my_xsum_train`` are made where the command runs.
"""

import json
import sys
from pathlib import Path

from sera.text.sentences import sentences

FOLDERS = {"test": "my_xsum", "validation": "my_xsum_dev", "train": "my_xsum_train"}


def convert_split(release: Path, topics: list[str], folder: Path) -> None:
    """Write ``sources.jsonl`` and ``references.jsonl`` of topics, without pages that are gone or empty."""
    records: dict[str, list[dict]] = {"sources": [], "references": []}
    for topic in topics:
        path = release / "bbc-summary-data" / f"{topic}.summary"
        parts = path.read_text(encoding="utf-8").split("[SN]") if path.exists() else []
        texts = {name: text.split("\n") for name, text in zip(parts[1::2], parts[2::2], strict=True)}
        first, rest = (
            [sentence for line in texts.get(name, []) for sentence in sentences(line)]
            for name in ("FIRST-SENTENCE", "RESTBODY")
        )
        if first and rest:
            title = " ".join(texts["TITLE"]).strip()
            records["sources"].append({"topic": topic, "id": topic, "title": title, "sentences": rest})
            records["references"].append({"topic": topic, "annotator": "bbc", "sentences": first})
    folder.mkdir(exist_ok=True)
    for name, rows in records.items():
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    release = Path(sys.argv[1])
    splits = json.loads((release / "XSum-TRAINING-DEV-TEST-SPLIT-90-5-5.json").read_text(encoding="utf-8"))
    for split, name in FOLDERS.items():
        convert_split(release, splits[split], Path(name))
