"""Files of claims: those in the package, and a user's with their faults."""

from __future__ import annotations

import re

import pytest

from sera.errors import InputError
from study.claims.files import (
    CLAIMS_OF_OTHERS,
    CLAIMS_OF_TABLE_2,
    MORE_CLAIMS,
    read_claims,
    shipped_claims,
)

GOOD = """\
source: Doe (2020)
sets:
  ROUGE: ROUGE-{1,2}-F
claims:
  - name: mine
    quote: ours is best
    formula: mean(SERA-*) > max(ROUGE)
    coefficients: [spearman]
    benchmarks: [summeval]
"""
FILES = (CLAIMS_OF_TABLE_2, MORE_CLAIMS, CLAIMS_OF_OTHERS)
EVERY_CLAIM = [claim for name in FILES for claim in shipped_claims(name)]
PAPERS = {"lin_2004": "001", "owczarzak_2012": "002", "peyrard_2017": "002"}
"""The papers of claims by the beginnings of their names; the others are of paper 000."""


def test_a_users_file(tmp_path):
    path = tmp_path / "claims.yaml"
    path.write_text(GOOD, encoding="utf-8")
    (claim,) = read_claims(path)
    assert (claim.name, claim.quote, claim.source) == ("mine", "ours is best", "Doe (2020)")
    assert claim.compared == claim.formula.text == "mean(SERA-*) > max(ROUGE)"
    assert claim.coefficients == ("spearman",) and claim.benchmarks == ("summeval",)
    assert claim.formula.metrics(["SERA-5", "x"]) == ["SERA-5", "ROUGE-1-F", "ROUGE-2-F"]
    with pytest.raises(InputError, match="line 5: the name 'mine' is taken"):
        read_claims(path, taken=["mine"])


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("max(ROUGE)", "mux(ROUGE)", "line 7: there is no function 'mux'. Use max."),
        ("> max(ROUGE)", "", "line 7: the formula compares nothing. Compare two sides"),
        ("quote:", "quota:", "line 6: there is no key 'quota' here. Use quote."),
        ("    quote: ours is best\n", "", "line 5: quote is missing"),
        ("source: Doe (2020)\n", "", "line 4: the claim mine has no source"),
        ("[spearman]", "[rho]", "line 8: 'rho' is not a coefficient. Use pearson, spearman, kendall."),
        ("[summeval]", "summeval", "line 9: benchmarks is not a list"),
        ("name: mine", "name: Mine!", "line 5: 'Mine!' cannot name a claim"),
        ("  - name", "  - [name", "is not YAML"),
        ("name: mine", "name: ''", "line 5: name is not a text"),
        ("claims:", "sets:", "line 4: has 'sets' twice"),
    ],
)
def test_faults_name_their_line_and_the_remedy(tmp_path, old, new, problem):
    path = tmp_path / "claims.yaml"
    path.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_claims(path)
    assert str(path) in str(caught.value) and problem in str(caught.value)


def test_nothing_in_a_file_is_built_or_expanded(tmp_path):
    path = tmp_path / "claims.yaml"
    path.write_text(GOOD.replace("ours is best", "!!python/object/apply:os.getcwd []"), encoding="utf-8")
    with pytest.raises(InputError, match="line 6: quote is not a text"):
        read_claims(path)
    for text in ("", "- a", "claims: []", "claims: {}"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError):
            read_claims(path)


def test_the_shipped_claims_have_different_names_and_a_source():
    assert len({claim.name for claim in EVERY_CLAIM}) == 19 + 11 + 3
    assert all(claim.source for claim in EVERY_CLAIM)


def test_the_sentences_are_in_their_papers(shared):
    paths = (shared / "papers").glob("*.txt")
    texts = {path.name[:3]: " ".join(path.read_text(encoding="utf-8").split()) for path in paths}
    for claim in EVERY_CLAIM:
        number = next((of for start, of in PAPERS.items() if claim.name.startswith(start)), "000")
        quoted = ".{0,80}".join(re.escape(part.strip()) for part in claim.quote.split("…"))
        assert re.search(quoted, texts[number]), claim.name
