"""Write the page that tells what was checked against which original, of what the tests said: `make fidelity`.

Usage: fidelity.py RECORDS PAGE, where RECORDS is what `pytest --fidelity RECORDS` wrote.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

HEAD = """# What was checked against which original

Tests compare this code with the program, library or published numbers that it follows, value by value.
This page is made by `make fidelity` of what these tests said: how many values were compared, and how many are
equal, in the sense of the column before. What has no original to run beside is tested on examples worked out
by hand.

| of this project | original | on | equal means | compared | equal | test |
| --- | --- | --- | --- | ---: | ---: | --- |
"""


def page(records: list[dict]) -> str:
    """The page, of records as `tests/conftest.py` writes them: one a test, with all that the test told."""
    groups: dict[tuple[str, ...], list[dict]] = {}
    for record in records:
        test = record["test"].partition("::")[0].rpartition("/")[2]
        for row in record["told"]:
            key = row["subject"], row["original"], row["on"], row["agreement"], test
            groups.setdefault(key, []).append(row)
    notes: list[str] = []
    lines = []
    for (subject, original, on, agreement, test), rows in sorted(groups.items()):
        values, equal = (sum(row[name] for row in rows) for name in ("values", "equal"))
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
            f"[{test}](../tests/{test})",
        )
        lines.append(f"| {' | '.join(cells)} |\n")
    text = HEAD + "".join(lines)
    text += "".join(f"\n({number}) {note[0].upper()}{note[1:]}.\n" for number, note in enumerate(notes, 1))
    for outcome, words in (("failed", "Failed"), ("skipped", "Not run")):
        tests = [record for record in records if record["outcome"] == outcome]
        if tests:
            names = "".join(
                f"- `{record['test']}`" + (f": {record['reason']}" if record["reason"] else "") + "\n"
                for record in tests
            )
            text += f"\n## {words}\n\n{names}"
    return text


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(page([json.loads(line) for line in source.read_text().splitlines()]), encoding="utf-8")
    print(f"The page: {target}")
