"""Write the tables that show which original each part was compared with, from the tests: `tests/fidelity.sh`.

Usage: fidelity.py RECORDS PAGE, where RECORDS is what `pytest --fidelity RECORDS` wrote. The tables replace
what PAGE has between the lines `<!-- fidelity -->` and `<!-- end -->`.
"""

import json
import re
import sys
from pathlib import Path

HEAD = """| of this project | original | on | equal means | compared |
| --- | --- | --- | --- | ---: |
"""
PLACE = re.compile(r"(?<=<!-- fidelity -->\n).*?(?=<!-- end -->)", re.DOTALL)


def tables(records: list[dict]) -> str:
    """The tables, of records as `tests/conftest.py` writes them: one a test, with all that the test told."""
    told = [
        (row, record["test"].partition("::")[0])
        for record in records
        if record["outcome"] == "passed"
        for row in record["told"]
    ]
    notes: list[str] = []
    text = HEAD + "".join(
        _line(subjects, key, rows, notes) for key, (subjects, rows) in _compared(told).items()
    )
    text += "".join(f"\n({number}) {note[0].upper()}{note[1:]}.\n" for number, note in enumerate(notes, 1))
    for outcome, words in (("failed", "Failed"), ("skipped", "Not run")):
        tests = [record for record in records if record["outcome"] == outcome]
        if tests:
            names = "".join(
                f"- `{record['test']}`" + (f": {record['reason']}" if record["reason"] else "") + "\n"
                for record in tests
            )
            text += f"\n{words}:\n\n{names}"
    return text


def _compared(told: list[tuple[dict, str]]) -> dict[tuple, tuple[list[str], list[dict]]]:
    """What was compared with an original: subjects and rows, by original, agreement, test and texts."""
    by_subject: dict[tuple[str, ...], list[dict]] = {}
    for row, test in sorted(told, key=lambda each: (each[0]["subject"], each[0]["original"], each[1])):
        key = row["subject"], row["original"], row["agreement"], test
        by_subject.setdefault(key, []).append(row)
    groups: dict[tuple, tuple[list[str], list[dict]]] = {}
    for (subject, *key), rows in by_subject.items():
        on = tuple(sorted({row["on"] for row in rows}))
        subjects, all_rows = groups.setdefault((*key, on), ([], []))
        subjects.append(subject)
        all_rows += rows
    return groups


def _line(subjects: list[str], key: tuple, rows: list[dict], notes: list[str]) -> str:
    original, agreement, test, on = key
    values, equal = (sum(row[name] for row in rows) for name in ("values", "equal"))
    mark = ""
    if but := "; ".join(dict.fromkeys(row["but"] for row in rows if row["but"])):
        if but not in notes:
            notes.append(but)
        mark = f" ({notes.index(but) + 1})"
    share = "" if values == equal else f"{equal:,} of "
    compared = f"{share}[{values:,}](../../{test}){mark}"
    return f"| {'; '.join(subjects)} | {original} | {'; '.join(on)} | {agreement} | {compared} |\n"


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    told = tables([json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()])
    page = target.read_text(encoding="utf-8")
    if not PLACE.search(page):
        sys.exit(f"{target} lacks the lines <!-- fidelity --> and <!-- end -->. Add them.")
    page = PLACE.sub(lambda _: told, page)
    target.write_text(page, encoding="utf-8")
    print(f"The page: {target}")
