"""`sera report`: the page from scores and judgements of one's own, its words, its numbers, in a browser."""

import re
from collections import Counter
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import pytest
from commands import sera
from made_scores import JUDGEMENT_HEAD, SCORE_HEAD, put_table
from scipy import stats

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Scores and judgements of six systems on five topics: M follows the judgement, JS-2 falls with it."""
    folder = tmp_path_factory.mktemp("own")
    noise = [0.1, -0.2, 0.15, -0.05, 0.2]
    scores, judgements = [], []
    for topic in range(5):
        for system in range(6):
            judgements.append(f"t{topic} s{system} fluency {system}")
            values = {"M": system + noise[topic], "JS-2": -system, "SERA-5": [2, 1, 3, 6, 5, 4][system]}
            scores += [f"t{topic} s{system} {name} {value}" for name, value in values.items()]
    put_table(folder / "scores.tsv", SCORE_HEAD, *scores)
    put_table(folder / "judged by us.tsv", JUDGEMENT_HEAD, *judgements)
    return folder


@pytest.fixture(scope="module")
def page(folder):
    given = (folder / "judged by us.tsv", "--out", folder / "page.html")
    said = sera("report", folder / "scores.tsv", *given)
    assert said.startswith("By Spearman's ρ with fluency over systems, ")
    assert said.endswith(f"The page: {folder / 'page.html'}\n")
    return (folder / "page.html").read_text(encoding="utf-8")


def words(page: str) -> str:
    """The text of the page, without its script, images and tags."""
    text = re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def test_it_has_its_own_words_and_none_of_the_papers(page):
    text = words(page)
    assert "How well do automatic metrics follow fluency?" in text
    assert "5 topics, all in the scores." in text
    assert "With 6 systems, a ρ below 0.89 may be chance" in text
    for foreign in "Cohan|reproduc|Table 2|Table 3|Figure 1|the paper|Pyramid|SYNTHETIC".split("|"):
        assert foreign not in text, foreign


def test_its_numbers(page):
    """Spearman's rho by hand: the ranks of SERA-5 are 2, 1, 3, 6, 5, 4 where fluency's are 1 to 6."""
    differences = [1, -1, 0, 2, 0, -2]
    rho = 1 - 6 * sum(d * d for d in differences) / (6 * 35)  # 0.714…
    row = re.search(r'<th scope="row">SERA-5</th>(.*?)</tr>', page, re.DOTALL)[1]
    values = re.findall(r'<td class="group">([^ ]+)', row)
    assert values[1:] == [f"{rho:.3f}", f"{7 / 15:.3f}"]  # of tau: 11 - 4
    # the draws of six systems with a rho, each as often as its systems can be in another order
    draws = [draw for draw in combinations_with_replacement(range(6), 6) if len(set(draw)) > 1]
    found = [stats.spearmanr(draw, [[2, 1, 3, 6, 5, 4][system] for system in draw])[0] for draw in draws]
    times = [720 // prod(map(factorial, Counter(draw).values())) for draw in draws]
    low, high = np.quantile(np.repeat(found, times), [0.025, 0.975])  # -0.09 and 1
    assert f"0.714 <small>{low:.2f} to {high:.2f}</small>".replace("-", "−") in row
    names = re.findall(r'<th scope="row">([^<]+)</th>', page[page.index('id="rows2"') :])[:3]
    assert names == ["JS-2", "M", "SERA-5"]  # the order of the scores


def test_scores_that_rank_nothing_have_a_page_that_says_so(folder, tmp_path):
    rows = [f"t{topic} s{system} M 1" for topic in range(5) for system in range(6)]
    scores = put_table(tmp_path / "scores.tsv", SCORE_HEAD, *rows)
    given = (folder / "judged by us.tsv", "--resamples", 5, "--out", tmp_path / "p.html")
    sera("report", scores, *given)
    text = words((tmp_path / "p.html").read_text(encoding="utf-8"))
    assert "each scored by 1 metric, and" in text
    assert "Undefined: M with fluency: all systems have the same score by M." in text


def test_tables_without_a_common_summary_are_refused(folder, tmp_path):
    other = put_table(tmp_path / "other.tsv", JUDGEMENT_HEAD, "x y fluency 1")
    given = (other, "--out", tmp_path / "p")
    printed = sera("report", folder / "scores.tsv", *given, code=2)
    assert printed.count("\n") == 1
    assert printed.startswith(f"Error: {other}: no summary is both scored and judged. Look whether")
    assert not (tmp_path / "p").exists()


@pytest.mark.parametrize("width", [390, 1280])
def test_its_looks(browser, page, folder, width):
    assert browser.faults(folder / "page.html", width) == []


def test_it_sorts_by_the_column_that_is_pressed(browser, page, folder):
    browser.open(folder / "page.html")
    press = "document.querySelectorAll('#rows2 button')[2].click(); "
    names = "[...document.querySelectorAll('#rows2 tbody th')].map(name => name.textContent)"
    orders = [browser.run(press + names) for _ in range(2)]
    assert orders == [["M", "SERA-5", "JS-2"], ["JS-2", "SERA-5", "M"]]  # of rho 1, 0.714 and -1
