"""`sera research keywords`: the tables of ROUGE-K's paper from records of one's own."""

import pytest
from click.testing import CliRunner

from sera.cli import main
from sera.evaluation.tables import read_tsv

FILES = {
    "candidates.jsonl": [
        '{"topic": "t", "system": "mine", "sentences": ["Deep neural networks make images.",'
        ' "A party began."]}',
        '{"topic": "t", "system": "theirs", "sentences": ["Networks make a party."]}',
    ],
    "references.jsonl": ['{"topic": "t", "annotator": "A", "sentences": ["Deep neural networks make art."]}'],
    "sources.jsonl": [
        '{"topic": "t", "id": "a", "title": "Images and art by deep neural networks",'
        ' "sentences": ["Networks make images of cells."]}'
    ],
    "preferences.tsv": ["topic\tbetter\tworse", "t\tmine\ttheirs", "t\ttheirs\tmine", "t\tmine\ttheirs"],
    "scores.tsv": ["topic\tsystem\tmetric\tscore", "t\tmine\tTheirs\t1", "t\ttheirs\tTheirs\t2"],
}


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Run the command in a folder with the files; returns a function of further options: code and output."""
    monkeypatch.chdir(tmp_path)
    for name, lines in FILES.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def run(*options):
        named = [
            f"--{kind}={kind}.{'tsv' if kind == 'preferences' else 'jsonl'}"
            for kind in ("candidates", "references", "sources")
        ]
        found = CliRunner().invoke(main, ["research", "keywords", *named, "--out", "tables", *options])
        return found.exit_code, found.output

    return run


def test_all_tables_are_written(said, tmp_path):
    code, output = said("--preferences", "preferences.tsv", "--scores", "scores.tsv")
    assert code == 0 and output.endswith("10 tables of 2 systems in tables\n")
    names = [*(f"table{number}" for number in range(3, 10)), "table8_pairs", "figure2", "keywords"]
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {
        f"rougek_{name}.{ending}" for name in names for ending in ("tsv", "md", "tex")
    } | {f"rougek_figure2.{ending}" for ending in ("svg", "png", "pdf")}
    agreement = read_tsv(tmp_path / "tables/rougek_table3.tsv").set_index("metric")
    assert agreement["agreement"]["ROUGE-K"] == pytest.approx(2 / 3, abs=1e-6)
    assert agreement["agreement"]["Theirs"] == pytest.approx(1 / 3, abs=1e-6)
    assert agreement["equal"]["ROUGE-K-TFIDF"] == 3
    # R-K is 1 for mine and .5 for theirs, so it agrees with two preferences; Theirs agrees with the other one
    alone = agreement["keywords_alone"][["R-K", "R-1", "Theirs"]]
    assert alone.tolist() == pytest.approx([0, 0, 2 / 3], abs=1e-6)
    # "deep neural networks" and "art", of the reference and the title; one of them is in the summary
    (row, _) = read_tsv(tmp_path / "tables/rougek_table4.tsv").to_dict("records")
    assert (row["split"], row["texts"], row["keywords"], row["keyword_words"]) == ("all", 2, 2, 2)
    means = read_tsv(tmp_path / "tables/rougek_table5.tsv").set_index(["system", "metric"])["mean"]
    assert means["mine", "ROUGE-K"] == 0.5 and means["theirs", "ROUGE-K"] == 0
    # 4 of the reference's 5 words, and of the summary's 8
    assert means["mine", "R-1"] == pytest.approx(2 * 0.8 * 0.5 / 1.3, abs=1e-5)


def test_settings_of_rouge_k_hold(said, tmp_path):
    assert said("--set", "ROUGE-K.longest=1")[0] == 0
    (row, _) = read_tsv(tmp_path / "tables/rougek_table4.tsv").to_dict("records")
    assert (row["keywords"], row["keyword_words"]) == (4, 1)  # deep, neural, networks, art


def test_bad_input_is_refused_before_anything_is_written(said, tmp_path):
    code, output = said("--set", "ROUGE.stem=true")
    assert code == 2 and "there are settings of ROUGE, and the tables set ROUGE-K alone" in output
    (tmp_path / "preferences.tsv").write_text("topic\tbetter\tworse\nt\tmine\tnobody\n", encoding="utf-8")
    code, output = said("--preferences", "preferences.tsv")
    assert code == 2 and "there is no score of 'nobody' for topic 't'" in output
    assert not (tmp_path / "tables").exists()


def test_in_german_there_are_no_keywords_by_textrank(said, tmp_path):
    code, output = said("--set", "ROUGE-K.language=de")
    assert code == 0, output
    means = read_tsv(tmp_path / "tables/rougek_table5.tsv")
    ours = {"ROUGE-K", "ROUGE-K-TFIDF", "ROUGE-K-TextRank"}
    assert set(means["metric"]) & ours == {"ROUGE-K", "ROUGE-K-TFIDF"}
    code, output = said("--set", "ROUGE-K.language=de", "--preferences", "preferences.tsv")
    assert code and "Table 3 has ROUGE for English. Leave out --preferences." in output
