"""Frame-N on a small release made for the test, in the XML of FrameNet's; NLTK's reader reads it beside."""

import re

import nltk
import pytest
from nltk.corpus.reader import FramenetCorpusReader
from releases import NAMESPACE, framenet, put

from sera import metric
from sera.errors import InputError
from sera.metrics.frames import FrameNet
from sera.metrics.rouge.preparation import rouge_porter

FRAMES = {
    "Giving": [("give.v", 20), ("donate.v", 10), ("gift.n", 3), ("hand over.v", 9)],
    "Self_motion": [("run.v", 8), ("walk.v", 12), ("run.n", 2)],
    "Operating": [("run.v", 9)],
    "Kinship": [("child.n", 5), ("run.n", 2)],
}


@pytest.fixture
def release(tmp_path):
    return put(tmp_path / "fndata-1.7", framenet(FRAMES))


def test_the_release_is_read_as_by_nltk(release, monkeypatch, fidelity):
    rows = "".join(f'<frame name="{name}" ID="{100 + n}" cDate="x"/>' for n, name in enumerate(FRAMES))
    (release / "frameIndex.xml").write_text(f"<frameIndex {NAMESPACE}>{rows}</frameIndex>")
    others = ["luIndex.xml", "fulltextIndex.xml", "frRelation.xml", "semTypes.xml"]
    for other in others:
        (release / other).write_text("<nothing/>")
    monkeypatch.setattr(nltk.data, "path", [str(release)])
    reader = FramenetCorpusReader(str(release), [*others[2:3], "frameIndex.xml", *others])
    read = {
        name: [(unit.name, unit.sentenceCount["annotated"]) for unit in reader.frame(name).lexUnit.values()]
        for name in FRAMES
    }
    assert read == FRAMES
    # of each noun and verb the frame with the most annotated sentences, of equals the first in the alphabet
    commonest = {}
    for frame, units in sorted(read.items()):
        for name, annotated in units:
            lemma, pos = name.split(".")
            key = rouge_porter(lemma), {"n": "NN", "v": "VB"}[pos]
            if " " not in lemma and annotated > commonest.get(key, ("", -1))[1]:
                commonest[key] = frame, annotated
    frames = FrameNet(release).frames
    assert frames == {key: frame for key, (frame, _) in commonest.items()}
    fidelity("frames of words", "a made-up release of FrameNet", len(frames), "NLTK's reader", "equal")


def test_the_commonest_frame_of_a_word(release):
    assert FrameNet(release).frames == {
        ("child", "NN"): "Kinship",
        ("donat", "VB"): "Giving",
        ("gift", "NN"): "Giving",
        ("give", "VB"): "Giving",
        ("run", "NN"): "Kinship",  # as many as Self_motion: the first in the alphabet
        ("run", "VB"): "Operating",
        ("walk", "VB"): "Self_motion",
    }
    frames = FrameNet(release)
    assert metric("Frame-1", frames=frames).signature.split("|")[1] == f"frames:{frames.name}"
    assert re.fullmatch("fndata-1.7#[0-9a-f]{8}", frames.name)


def test_frames_match_where_words_do_not(release):
    tokens = FrameNet(release).tokens
    assert tokens("The donors gave children money. He walks!") == [
        "the", "donor", "Giving", "Kinship", "monei", "he", "Self_motion",
    ]  # fmt: skip
    assert tokens("A state-of-the-art p53/p63 assay's") == "a state of the art p53 p63 assai s".split()
    frames = FrameNet(release)
    candidate, reference = "He gave the children money.", "She donated the child money."
    # he/she differ: 4 of 5 tokens, 3 of 4 pairs
    assert metric("Frame-1", frames=frames).score(candidate, reference) == 0.8
    assert metric("Frame-2", frames=frames).score(candidate, reference) == 0.75
    assert metric("ROUGE-1-R", stem=True).score(candidate, reference) == 0.6


def test_without_a_release_it_says_how_to_get_one(tmp_path):
    with pytest.raises(InputError, match="Frame-1 is not available without a release of FrameNet. Ask for "):
        metric("Frame-1").score("a", "b")
    with pytest.raises(InputError, match=f"{tmp_path}: is not a release of FrameNet: .* Ask for the data at"):
        FrameNet(tmp_path)
