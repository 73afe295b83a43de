from sera.io.records import Section, Source
from sera.summarizers import summarize


def test_the_longest_goes_first_and_what_does_not_fit_is_passed_over():
    article = Source("t", "a", sections=(Section("", ("One two.", "One two three.", "One.")),))
    assert summarize("longest", article, words=3).sentences == ("One two three.",)
    assert summarize("longest", article, words=4).sentences == ("One two three.", "One.")
