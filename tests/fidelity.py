"""Write the page that shows which original each part was compared with, from the tests: `tests/fidelity.sh`.

Usage: fidelity.py RECORDS PAGE, where RECORDS is what `pytest --fidelity RECORDS` wrote.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from sera.metrics import FAMILIES
from sera.retrieval.engines import ENGINES
from sera.summarizers import SUMMARIZERS

HEAD = """# What was checked against which original

This page shows which original each part was compared with, and on how many values. `tests/fidelity.sh`
writes it from the results of the tests.

| of this project | original | on | equal means | compared | equal | test |
| --- | --- | --- | --- | ---: | ---: | --- |
"""
WITHOUT = """
## Without an original to run

These parts have no original to run. The tests compute the expected values; the column counts values, or
assertions.

| of this project | checked on | compared | test |
| --- | --- | ---: | --- |
"""


def page(records: list[dict]) -> str:
    """The page, of records as `tests/conftest.py` writes them: one a test, with all that the test told."""
    groups: dict[tuple[str, ...], list[dict]] = {}
    for record in records:
        if record["outcome"] != "passed":
            continue
        test = record["test"].partition("::")[0].partition("tests/")[2]
        for row in record["told"]:
            key = row["subject"], row["original"], row["on"], row["agreement"], test
            groups.setdefault(key, []).append(row)
    notes: list[str] = []
    lines, without = [], []
    for (subject, original, on, agreement, test), rows in sorted(groups.items()):
        values, equal = (sum(row[name] for row in rows) for name in ("values", "equal"))
        link = f"[{test.rpartition('/')[2]}](../tests/{test})"
        if not original:
            without.append(f"| {subject} | {on} | {values:,} | {link} |\n")
            continue
        mark = ""
        if but := "; ".join(dict.fromkeys(row["but"] for row in rows if row["but"])):
            if but not in notes:
                notes.append(but)
            mark = f" ({notes.index(but) + 1})"
        share = "all" if values == equal else f"{equal:,}"
        cells = (
            subject,
            original,
            on,
            agreement,
            f"{values:,}",
            f"{share}{mark}",
            link,
        )
        lines.append(f"| {' | '.join(cells)} |\n")
    text = HEAD + "".join(lines)
    text += "".join(f"\n({number}) {note[0].upper()}{note[1:]}.\n" for number, note in enumerate(notes, 1))
    text += WITHOUT + "".join(without)
    for outcome, words in (("failed", "Failed"), ("skipped", "Not run")):
        tests = [record for record in records if record["outcome"] == outcome]
        if tests:
            names = "".join(
                f"- `{record['test']}`" + (f": {record['reason']}" if record["reason"] else "") + "\n"
                for record in tests
            )
            text += f"\n## {words}\n\n{names}"
    return text


def unchecked(page: str) -> list[str]:
    """The metric families, summarizers and engines that no row of the page is about."""
    kinds = {"metric": FAMILIES, "summarizer": SUMMARIZERS, "engine": ENGINES}
    subjects = [f"{kind} `{name}`" for kind, names in kinds.items() for name in names]
    return [subject for subject in subjects if f"\n| {subject}" not in page]


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    text = page([json.loads(line) for line in source.read_text().splitlines()])
    target.write_text(text, encoding="utf-8")
    print(f"The page: {target}")
    if missing := unchecked(text):
        sys.exit(f"No test that ran states what was checked of {', '.join(missing)}.")
