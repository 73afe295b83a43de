"""The noun phrases of TextBlob beside TextBlob itself."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from textblob.en import parse

from sera.resources import lines
from sera.retrieval.chunkers import textblob_chunks

WORDS = (
    "The the kinase and very nicely nice Perhaps you it's don't they'd he can't swim/run &slash; naïve p53 "
    "is binding of 1.2-fold ( ) , . ... Fig. e.g. or both not only rather quickly better than ? ! \" ' “x” "
    "END x\ny \n\n \x1c\x85 which"
).split(" ")


def parsed(sentence):
    """The words that TextBlob's tagged text marks as inside a noun phrase."""
    for token in str.split(parse(sentence, lemmata=False)):
        word, _, rest = token.partition("/")
        if rest.split("/")[1:2] and rest.split("/")[1].endswith("NP"):
            yield word.replace("&slash;", "/")


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
@example("Perhaps you and the very nice fish swim, but not quickly it's.")
@example("")
def test_the_words_are_those_of_textblob(sentence):
    assert list(textblob_chunks(sentence)) == list(parsed(sentence))


def test_the_words_of_running_text():
    texts = [cell for line in lines("demo_sentences.tsv", "study.resources") for cell in line.split("\t")]
    assert len(texts) > 100
    for text in texts:
        assert list(textblob_chunks(text)) == list(parsed(text))
