import pytest

from sera import metric


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("Jaccard-1", 2 / 4),  # fish, swim of fish, swim, sea, ship
        ("Jaccard-1(letters=4)", 2 / 3),  # fish, swim of fish, swim, ship
        ("Jaccard-2", 1 / 2),  # fish swim of fish swim, swim sea
    ],
)
def test_ngrams_in_common_of_all(selector, expected):
    assert metric(selector).score("Fish swim.", ["The fish swim in the sea.", "The ship."]) == expected
