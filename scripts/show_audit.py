"""Print how many published rank correlations fit which number of systems, and tell where everything lies.

Usage: show_audit.py [results=FOLDER], where config.yaml would be overruled.
"""

from latest import latest

from sera.evaluation.tables import read_tsv
from sera.published.audit import SUMMARY_LEGEND, SUMMARY_TITLE, readable_summary

folder = latest()[2].parent / "audit"

print(f"\n{SUMMARY_TITLE}\n")
print(readable_summary(read_tsv(folder / "summary.tsv")).to_string(index=False))
print(f"{SUMMARY_LEGEND}\n")
for what, where in (
    ("Every row:", "audit.md (.tsv and .tex beside)"),
    ("This table:", "summary.md (.tsv and .tex beside)"),
    ("Figure:", "audit.svg (.png and .pdf beside)"),
    ("What it implies:", "paragraphs.md"),
):
    print(f"{what} {folder}/{where}")
