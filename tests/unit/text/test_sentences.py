"""Sentence boundaries: a sample written for the project, one case a line, ``|`` where a sentence ends."""

import random
import re
import time

import pytest

import sera.text.sentences
from sera.text.sentences import german_sentences, sentences

CASES = """
The band is faint (Fig. 2A).| It was seen twice.
As in Fig. 2A, growth stopped.| Then it resumed.
Growth stopped (see Fig. 1).| Next, the cells were washed.
Growth stopped (see Fig. 1. Next to it is the control) after a day.| It resumed.
Loss is shown in Figs. 3B and 4C.| In Fig. 5, rescue is shown.
Suppl. Fig. S3 and Supplementary Fig. S4 show the blots.| Both agree.
Values come from ref. 12 and Refs. 13 and 14.| All agree.
Eq. 3 gives the rate.| Eqs. 4 and 5 give its error.
This was proposed by Olsen et al. (2004) and by Wu et al. in 2005.| Both used mice.
Olsen et al. [12] disagreed.| Others did not.
The protocol is that of Olsen et al.| The buffers differ.
E. coli grows fast.| S. cerevisiae does not.
The gene is absent from E. coli.| We cloned it from C. elegans embryos.
In D. melanogaster the locus is silent.| In M. musculus it is not.
Plasmids were propagated in E. coli DH5α.| They were sequenced.
We compared p53 vs. p21 levels.| They differ.
Wild type vs. Mutant animals were weighed.| No change was seen.
The factor (i.e. the kinase) binds, e.g. in nuclei, to DNA.| It is then cleaved.
Some tissues (e.g., liver) lack it; others, i.e., brain, do not.| Why is unclear.
Cf. Olsen for the proof.| It is long.
The ratio was 0.05.| Controls had 1.25.
The slope was 3.14 and the offset 2.72.| Both are known.
The effect is significant at P < 0.05.| The controls are not (P = 0.42).
Signals rose 2.5-fold at 37 °C.| They fell later.
Cells were fixed for 2 h.| Samples were then washed in PBS for 10 min.| Nuclei were stained.
Expression was lost.| miR-372 was the exception.
Cells arrest in G1.| p53 is needed for this.
Mutants survive.| c-Myc does not explain it.
Larvae arrest (Fig. 4).| let-7 rescues them.
Half were lost (50%).| mRNAs were measured next.
miR-21 is up.| siRNAs against it help.
This is known [3, 4].| However, the cause is not.
This is known [3], [5]–[7].| The cause is not.
This is known.12,13| The cause is not.
This is known.7| Others disagree.
It was reported (1, 2).| It was then forgotten.
This was shown before (Olsen et al., 2004; Wu and Li, 1999).| In contrast, others failed.
It was shown (Olsen, J. A. et al., 2001).| Nobody tried again.
Dr. P. Hughes read the text.| Prof. B. Olsen drew it.
J. A. Olsen did the work.| He died.
Cells came from St. Louis.| They grew.
Reagents came from Sigma (St. Louis, MO, U.S.A.).| They were fresh.
We thank R. Agami for plasmids.| We thank others for cells.
Cells were fed vitamin C.| The medium was changed daily.
Add approx. 5 ml of buffer.| Mix.
Use ca. 20 cells (approx. 1 ng).| Lyse them.
Blots used antibody no. 5 and lot No. 17.| Bands were counted.
Is p53 lost?| It is!| We saw it.
“It works.”| This is what they said.
He asked “why?” and left.| We stayed.
(A) Growth of mutants.| (B) Growth of controls.
(C and D) Cells were stained.| (E) Cells were counted.
Take two steps: (i) lyse, (ii) spin.| Then wait.
Bases 45. to 60 are missing.| The rest is there.
Ca2+ enters.| Na+ leaves.
The plasmid pRS.GFP was cut.| It was then purified.
See www.example.org for data.| The set is large.
A pH of 7.4 was kept (Tris-HCl, 50 mM).| All else was constant.
RNA was extracted with Trizol (Invitrogen Corp., Carlsbad, CA).| It was pure.
The 3.5-kb fragment, var. minor, was lost.| Nothing else was.
Phosphorylation at Ser. 83 is needed.| Mutants lack it.
It was shown by Olsen et al. (1999).| It affects yeast.
Binding is lost (Figure 1A) (Olsen et al., 1999).| We asked why.
Most grew (75%).| dVel, its homolog, was found too.
It was lost (ref. 3).| c-Jun, p53, and miR-7 were not.
Growth takes 190 min. vs. 76 min. in the wild type.| It is slow.
The Kd was 0.35 μM (n = 3; P = 0.04).| That of fennin (Olsen et al. 2001) was 1.2.
α-synuclein aggregates.| β-catenin does not.
Cells lost p53 (p53kd) (Figure 1D).| Previously, we saw the same.
She wrote to Com. & Adm. about it.| They (Com. & Adm.) answered.
Johnson Bros. & Co. and Smith Co. & Sons sold it to Acme Inc. & Partners.| It is lost.
The gene is on chr. 5, with a mutation in ex. 4.| It lies on the chr.| The rest is new.
See ch. 3, Chap. 5, Chap. IV, art. 2, par. 7 and sec. 4 of it.| It happened in Chap.| The rest is new.
See Vol. 3, No. 4, p. 5 of it.| Vol. II has more.
It had avg. 5 cells, max. 7 and min. 3, at temp. 37 °C in conc. 5 mM.| That is the max.| The rest had less.
The isolates sp. 4 and spp. 5 and cv. 6 were new.| It is Salmonella sp.| Others are not.
An est. 500 people (incl. 90 of dept. 5) had a freq. 5 Hz higher.| They are of Acme Ltd.| The rest is not.
It took 5 min.| The next took 20 sec.| The last did not.
Residues Lys. 5 and Arg. 6 are lost.| Growth stopped as Wu et al.| X-ray data show it.
The risk is common.[1]| The cost is not.[1,2]| They die.[3–5]| We ask why.[1, 2]| Others do not.
It is common (all of it).[3]| It is 50%.[4][5]| It is DNA.[a]| It is not.[citation needed]
Do we know?[6]| They do.
It is common.¹²| They die.³–⁵| We ask.¹,²| Others do not.(7)| They grow.(7, 8)| The end is near.
It was “common.”[1]| p53 was not.[2]| “They die.”
It was shown by Olsen et al.[11]| Others were shown by Olsen et al.[12] in mice.
«Go!»| She left.| »Go!«| He left.| «Go!» he said.| He said: «I go.»| «Me too.»
‘Go!’| She left.| “Go!” he said.| He said: “She said ‘I go.’”| They left.
""".strip().split("\n")


@pytest.mark.parametrize("case", CASES)
def test_a_tricky_passage_is_split_where_its_author_split_it(case):
    expected = [part.strip() for part in case.split("|")]
    assert sentences(" ".join(expected)) == expected
    text = case.replace("|", "\n")
    assert " ".join(sentences(text)) == " ".join(text.split())


def test_a_full_stop_between_words_may_lack_its_blank():
    text = "It helps in writing.Technologies that do so exist.Now, was it seen?Others ask."
    rest = ["Technologies that do so exist.", "Now, was it seen?", "Others ask."]
    assert sentences(text) == ["It helps in writing.", *rest]


@pytest.mark.parametrize(
    "text",
    [
        "We used p53.In vitro it binds.",
        "The U.S.A sent Fig.Two of it.",
        "It is e.g.The one by Smith et al.The rest is new.",
        "See www.Nature.com and nih.gov/genome?Db = x for it.",
        "The yeast Ada.Spt complex, in ed.Cold Spring, has the vector pCI-Neo.Flag in it.",
    ],
)
def test_a_full_stop_inside_a_name_is_no_end(text):
    assert sentences(text) == [text]


def test_a_blank_line_ends_a_sentence_and_a_line_end_does_not():
    found = sentences("First half\nsecond half\n \n\nA title without a stop\n\nNext one. And one.")
    assert found == ["First half second half", "A title without a stop", "Next one.", "And one."]
    assert sentences("") == sentences(" \n\t\n ") == sentences("\u00a0") == []
    # Brackets and letters are counted on from one possible end to the next
    assert sentences("12. (A b. c) d [e f. G) h] i. J k. (L m. N o) p. 34. 56.") == [
        "12. (A b. c) d [e f. G) h] i.",
        "J k. (L m. N o) p. 34. 56.",
    ]


@pytest.mark.parametrize("text", ["(A. ", "it. ", "1,1.", "((", "a.[1] ", "a.[", "a.¹", "«A.» ", "a.»’”"])
def test_time_is_linear_whatever_the_text(text):
    begun = time.process_time()
    sentences(text * (100_000 // len(text)))
    assert time.process_time() - begun < 10  # quadratic: minutes


# German


GERMAN = """
Am 3. Oktober 1990 wurde gefeiert.| Das war schön.
Im 19. Jahrhundert gab es z. B. keine Autos, d. h. man lief.| Dr. Müller kam usw. nach Hause.
Sie kommt in die 5. Klasse.| Über uns steht nichts.
Siehe S. 12 und Abb. 3 bzw. Nr. 4.| Österreich liegt dort.
Er wohnt in der Goethestr. 5 in Ulm.| Ist das so?| Ja!
Das Gesetz gilt ab dem 1.1.2000.| Danach nicht.
Es sind 12.| Danach kommen mehr.
Der Artikel (vgl. Abs. 2 Satz 1) gilt.| Es kostet 3,5 Mio. Euro.
Er sagte: „Ich komme.“| Dann ging er.| Er fragte: „Wer noch?“| „Ich.“| Alle gingen.
»Komm!«| Sie lief weg.| «Komm!»| Übrigens lief sie weg.| ‚Komm!‘| Er lief.| ›Ja.‹| Gut.
Er sagte: "Ich komme."| Dann ging er.| (Sie sagte: „Ich auch.“)| Alle gingen.
„Komm!“, rief er.| „Ich komme.“ sagte sie.| »Wer?« fragte er.| «Du», sagte sie.
Er sagte: „Sie rief: ‚Komm!‘“| Es heißt „Komm!“ und „Geh!“ bei uns.| Sie rief „Halt!“.| Er blieb.
Das Kürzel „Dr.“ Müllers ist am „3.“ Oktober falsch.| Es sagt: „Es sind 12.“| Danach kamen mehr.
Es ist bekannt.[1]| Das bleibt.¹²| Er sagte: „Ich komme.“[2]| Dann ging er.
""".strip().split("\n")


@pytest.mark.parametrize("case", GERMAN)
def test_german_boundaries(case):
    expected = case.split("| ")
    assert german_sentences(" ".join(expected)) == expected


def test_blank_lines_and_missing_blanks():
    text = "Es kommt zu Konflikten.Deshalb lernen sie z.B. viel.Wie?"
    assert german_sentences(text) == ["Es kommt zu Konflikten.", "Deshalb lernen sie z.B. viel.", "Wie?"]
    assert german_sentences("Gewalt\n\nSie hat viele\nGesichter.") == ["Gewalt", "Sie hat viele Gesichter."]
    assert german_sentences(" \n ") == []


def test_what_is_decided_without_syntok_is_what_syntok_decides(monkeypatch):
    """Whole texts, made of the sample in a random order, have the same sentences."""
    lines = [case.replace("|", "") for case in CASES]
    texts = [" ".join(random.Random(seed).sample(lines, 12)) for seed in range(60)]
    texts += [
        "It ran in 12. May was cold. It ran in 2012. Ella saw it.",
        "He said 'Go.' The dog, vs. Cats. went",
    ]
    texts += ["It is（as said. Then）it goes. We go.", "It is (as said. Then we go. They went) on. We go."]
    texts += ["It is (as said. Then we go. They (all of them went. We go.", "It is {as said. Then} it goes."]
    found = [sentences(text) for text in texts]
    for pattern in ("_ENDING", "_HAS_NO_ENDING"):
        monkeypatch.setattr(sera.text.sentences, pattern, re.compile("(?!)"))
    assert [sentences(text) for text in texts] == found
