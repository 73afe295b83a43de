"""Print how many published rank correlations fit which number of systems, and tell where everything lies.

Usage: show_audit.py [results=FOLDER], where config.yaml would be overruled.
"""

from latest import latest

from sera.audit import SUMMARY_LEGEND, readable_summary
from sera.tables import read_tsv

folder = latest()[2].parent / "audit"

print("\nRows of the paper that so many systems can give, by where a pair of systems is tied\n")
print(readable_summary(read_tsv(folder / "summary.tsv")).to_string(index=False))
print(f"{SUMMARY_LEGEND}\n")
for what, where in (
    ("Every row:", "audit.md (audit.tsv beside)"),
    ("This table:", "summary.tsv"),
    ("Figure:", "audit.svg (.png and .pdf beside)"),
    ("What it implies:", "paragraphs.md"),
):
    print(f"{what} {folder}/{where}")
