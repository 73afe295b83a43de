"""Each guided BART: its equation by hand, zero guidance as plain BART, and its gradients."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

from transformers import BartForConditionalGeneration, BertConfig, BertModel  # noqa: E402

from sera_guided import GUIDED  # noqa: E402
from sera_guided.bart import Guidance  # noqa: E402
from sera_guided.multitask import interpolate, keyword_entropy, squared_error  # noqa: E402
from sera_guided.presumm import ExtractiveEncoder  # noqa: E402
from sera_guided.rwgen import vocabulary_weights  # noqa: E402
from sera_guided.tdsum import ImportanceFeatures  # noqa: E402
from sera_guided.tiny import tiny_bart  # noqa: E402

ABSTRACTIVE = [name for name in GUIDED if "sentences" not in GUIDED.needs(name)]
IDS = torch.tensor([[0, 5, 6, 7, 2], [0, 8, 2, 1, 1]])
MASK = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
LABELS = torch.tensor([[0, 6, 9, 2], [0, 8, 2, -100]])


def made(name, **other):
    torch.manual_seed(3)
    return GUIDED.load(name)(tiny_bart(30, **{"d_model": 16, "dropout": 0.0, **other})).eval()


def as_plain(model):
    plain = BartForConditionalGeneration(model.config).eval()
    plain.load_state_dict(
        {key: value for key, value in model.state_dict().items() if key in plain.state_dict()}
    )
    return plain


def run(model, **given):
    with torch.no_grad():
        return model(input_ids=IDS, attention_mask=MASK, **given)


def logits(model, start=IDS):
    return run(model, decoder_input_ids=start).logits


def guidance(weights, keywords=None):
    there = None if keywords is None else torch.tensor(keywords)
    return Guidance(
        weights=torch.tensor(weights),
        ids=IDS,
        mask=MASK,
        marks=torch.tensor([[0.0, 1, 0, 1, 0], [0, 0, 0, 0, 0]]),
        keywords=there,
        keywords_mask=None if there is None else (there != 1).long(),
    )


GUIDING = guidance([[0.0, 0.9, 0.1, 0.4, 0], [0, 1, 0, 0, 0]], [[0, 6, 2], [0, 8, 2]])
NOTHING = guidance([[0.0] * 5] * 2, [[1, 1, 1]] * 2)  # no TF-IDF, and no keyword


def disturbed(model):
    """A model whose new modules do not begin at zero, as after training."""
    torch.manual_seed(5)
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if name.startswith(("guided_attention", "importance")):
                weights.copy_(torch.randn_like(weights) / 4)
    return model


@pytest.mark.parametrize("nothing", ["guidance", "strength"])
@pytest.mark.parametrize("name", ABSTRACTIVE)
def test_zero_guidance_is_bart_bit_for_bit(name, nothing):
    """No TF-IDF and no keyword; or the guidance of other tests with a strength of 0."""
    strength = {"strength": 0.0, "guidance": 1.0}[nothing]
    model = disturbed(made(name, guided_task=0.0, guided_strength=strength))
    plain = as_plain(model)
    model.guide({"strength": GUIDING, "guidance": NOTHING}[nothing])
    for given in ({"labels": LABELS}, {"decoder_input_ids": LABELS.clamp(min=1)}):
        own, wanted = run(model, **given), run(plain, **given)
        assert own.logits.numpy().tobytes() == wanted.logits.numpy().tobytes()
        assert given.get("labels") is None or own.loss.item() == wanted.loss.item()
    with torch.no_grad():
        settings = dict(num_beams=3, max_new_tokens=8, no_repeat_ngram_size=3)
        written = model.generate(encoder_outputs=model.encode(IDS, MASK), attention_mask=MASK, **settings)
        assert written.tolist() == plain.generate(input_ids=IDS, attention_mask=MASK, **settings).tolist()


@pytest.mark.parametrize("name", [name for name in ABSTRACTIVE if name != "bart"])
def test_guidance_changes_the_model(name):
    """Else the test above would pass for a model without guidance."""
    model = disturbed(made(name, guided_task=0.3))
    plain = as_plain(model)
    model.guide(GUIDING)
    changed = run(model, labels=LABELS).loss != run(plain, labels=LABELS).loss
    written = bool((logits(model) != logits(plain)).any())
    assert (bool(changed), written) == {
        "rwenc": (True, True),
        "rwgen": (False, True),  # trained as BART
        "tdmtl": (True, False),  # writes as BART
        "mtl": (True, False),
        "tdsum": (True, True),
        "gsum": (True, True),
    }[name]


@pytest.mark.parametrize("name", ["tdsum", "gsum"])
def test_training_begins_with_bart(name):
    model = made(name)
    model.guide(GUIDING)
    assert torch.equal(logits(model), logits(as_plain(model)))


@pytest.mark.parametrize("name", ["rwenc", "tdmtl", "mtl", "tdsum", "gsum"])
def test_the_gradients_are_those_of_finite_differences(name):
    """For the weights that guidance has, or for RwEnc those that it passes through."""
    model = disturbed(made(name, guided_task=0.3)).double()
    given = Guidance(
        *(each.double() if each.is_floating_point() else each for each in vars(GUIDING).values())
    )
    model.guide(given)

    def loss():
        return model(input_ids=IDS, attention_mask=MASK, labels=LABELS).loss

    new = ("guided_attention", "importance", "word_head")
    named = [(key, one) for key, one in model.named_parameters() if key.startswith(new)]
    if not named:
        named = [(key, one) for key, one in model.named_parameters() if "encoder.layers.0.self_attn.q" in key]
    model.zero_grad()
    loss().backward()
    checked = 0
    for key, weights in named:
        flat, slope = weights.detach().view(-1), weights.grad.view(-1)
        for place in range(0, len(flat), max(1, len(flat) // 5)):
            kept = flat[place].item()
            sides = []
            for step in (1e-5, -1e-5):
                flat[place] = kept + step
                sides.append(loss().item())
            flat[place] = kept
            assert slope[place].item() == pytest.approx((sides[0] - sides[1]) / 2e-5, abs=2e-8, rel=1e-5), key
            checked += slope[place].item() != 0
    assert checked >= 2


# The equations, worked by hand on five sub-words
# -----------------------------------------------

WEIGHTS = torch.tensor([[0.0, 0.6, 0.0, 0.8, 0.0]])


def test_a_layer_of_rwenc_attends_by_the_weights():
    """The layer of the model itself: Q and K are zero; V and the last matrix copy the states (1, 0) to (5, 0)
    and have no bias.
    """
    shape = dict(d_model=2, encoder_attention_heads=1, decoder_attention_heads=1, encoder_layers=1)
    model = made("rwenc", **shape)
    attention = model.model.encoder.layers[0].self_attn
    states = torch.stack([torch.arange(1.0, 6), torch.zeros(5)], dim=1)[None]
    hidden = torch.tensor([[[[0.0, 0, 0, 0, -math.inf]] * 5]])
    with torch.no_grad():
        for one in (attention.q_proj, attention.k_proj, attention.v_proj, attention.out_proj):
            one.weight.zero_()
            one.bias.zero_()
        for one in (attention.v_proj, attention.out_proj):
            one.weight.copy_(torch.eye(2))
        plain = attention(states, attention_mask=hidden)[0]
        model.guide(Guidance(WEIGHTS, IDS[:1], MASK[:1]))
        found = attention(states, attention_mask=hidden)[0]
    assert plain[0, :, 0].tolist() == pytest.approx([2.5] * 5)  # (1 + 2 + 3 + 4) / 4
    # (1 e^0 + 2 e^.6 + 3 e^0 + 4 e^.8) / (e^0 + e^.6 + e^0 + e^.8) = 16.546401 / 6.047660
    assert found[0, :, 0].tolist() == pytest.approx([2.736001] * 5, abs=1e-6)


def test_rwenc_is_in_the_layers_0_4_and_8_of_the_encoder():
    model = made("rwenc", encoder_layers=10)
    hooked = [at for at, one in enumerate(model.model.encoder.layers) if one.self_attn._forward_pre_hooks]
    assert hooked == [0, 4, 8]
    small = made("rwenc")  # of two layers
    assert [bool(one.self_attn._forward_pre_hooks) for one in small.model.encoder.layers] == [True, False]


def test_rwgen_adds_the_weight_of_each_token_of_the_article():
    """Tokens 3 (twice, .6 and .8) and 1 (.5) of a vocabulary of five; all scores of the model equal."""
    found = vocabulary_weights(torch.tensor([[0, 3, 1, 3, 2]]), torch.tensor([[0.0, 0.6, 0.5, 0.8, 0.0]]), 5)
    assert found.tolist() == [pytest.approx([0, 0.5, 0, 0.8, 0])]
    # e^(2 * .8) / (3 + e^(2 * .5) + e^(2 * .8)) = 4.953032 / 10.671314
    assert torch.softmax(2 * found, -1)[0, 3].item() == pytest.approx(0.464144, abs=1e-6)


def test_rwgen_adds_to_the_scores_of_the_model():
    model = made("rwgen", guided_strength=2.0)
    plain = logits(model, IDS[:, :1])
    model.guide(GUIDING)
    added = (logits(model, IDS[:, :1]) - plain)[:, 0]
    wanted = torch.zeros(2, 30)
    wanted[0, 5], wanted[0, 6], wanted[0, 7], wanted[1, 8] = 1.8, 0.2, 0.8, 2.0
    assert torch.allclose(added, wanted, atol=1e-6)


def test_tdmtl_interpolates_the_squared_error_of_the_weights():
    predicted = torch.tensor([[0.1, 0.5, 0.0, 0.4, 9.0]])
    mask = torch.tensor([[1, 1, 1, 1, 0]])
    # (.1^2 + .1^2 + 0 + .4^2) / 4 = .045; the last sub-word is padding
    words = squared_error(predicted, WEIGHTS, mask)
    assert words.item() == pytest.approx(0.045)
    # .9 * 2 + .1 * .045
    assert interpolate(torch.tensor(2.0), words, 0.1).item() == pytest.approx(1.8045)


def test_mtl_has_the_cross_entropy_of_the_keywords():
    predicted = torch.tensor([[0.0, math.log(3), -math.log(3), math.log(3), 9.0]])
    marks = torch.tensor([[0.0, 1, 0, 0, 0]])
    mask = torch.tensor([[1, 1, 1, 1, 0]])
    # -(ln .5 + ln .75 + ln .75 + ln .25) / 4
    assert keyword_entropy(predicted, marks, mask).item() == pytest.approx(0.663701, abs=1e-6)


def test_tdsums_features_are_two_linear_layers_of_the_weight():
    features = ImportanceFeatures(2)
    with torch.no_grad():
        features.first.weight.copy_(torch.tensor([[2.0], [-1.0]]))
        features.second.weight.copy_(torch.tensor([[1.0, 5.0], [0.5, 5.0]]))
        found = features(WEIGHTS)[0]
    # s = .6: relu(1.2, -.6) = (1.2, 0), then (1.2, .6); s = .8: (1.6, .8); s = 0: 0
    wanted = [[0, 0], [1.2, 0.6], [0, 0], [1.6, 0.8], [0, 0]]
    assert found.tolist() == [pytest.approx(each) for each in wanted]


def test_tdsums_decoder_attends_to_the_states_by_their_importance():
    """One head of width 2 whose matrices are the identity, and a query of zeros: the mean of the memory."""
    model = made("tdsum", d_model=2, encoder_attention_heads=1, decoder_attention_heads=1, decoder_layers=1)
    states = torch.tensor([[[1.0, 2.0]] * 5])
    model.guide(Guidance(WEIGHTS, IDS[:1], torch.tensor([[1, 1, 1, 1, 0]])))
    with torch.no_grad():
        model.importance.first.weight.copy_(torch.tensor([[1.0], [1.0]]))
        model.importance.second.weight.copy_(torch.eye(2))
        model.guided_attention[0].in_proj_weight.copy_(torch.eye(2).repeat(3, 1))
        model.guided_attention[0].out_proj.weight.copy_(torch.eye(2))
        memory, mask = model.memory(states)
        # s_j h_j
        assert memory[0].tolist() == [
            pytest.approx(each) for each in ([0, 0], [0.6, 1.2], [0, 0], [0.8, 1.6], [0, 0])
        ]
        model._memory = (memory, mask)
        found = model._attending(model.guided_attention[0])(None, None, torch.zeros(1, 1, 2))
    # the mean of the four that are no padding: (.6 + .8) / 4, (1.2 + 1.6) / 4
    assert found[0, 0].tolist() == pytest.approx([0.35, 0.7])


def test_gsums_decoder_attends_to_the_encoded_keywords():
    """Five sub-words of keywords, the last padding; the matrices are the identity, and x is zero."""
    shape = dict(d_model=2, encoder_attention_heads=1, decoder_attention_heads=1, decoder_layers=1)
    model = made("gsum", guided_strength=0.5, **shape)
    keywords = torch.tensor([[0, 5, 6, 2, 1]])
    encoded = torch.tensor([[[1.0, 2], [3, 4], [5, 6], [7, 0], [9, 9]]])
    model.encode = lambda ids, mask: (encoded,) if torch.equal(ids, keywords) else None
    model.guide(Guidance(WEIGHTS, IDS[:1], MASK[:1], None, keywords, (keywords != 1).long()))
    with torch.no_grad():
        model.guided_attention[0].in_proj_weight.copy_(torch.eye(2).repeat(3, 1))
        model.guided_attention[0].out_proj.weight.copy_(torch.eye(2))
        model._memory = model.memory(torch.zeros(1, 5, 2))
        assert model._memory[0][0].tolist() == [[1, 2], [3, 4], [5, 6], [7, 0], [0, 0]]
        found = model._attending(model.guided_attention[0])(None, None, torch.zeros(1, 1, 2))
    # half of the mean of the four that are no padding: (1 + 3 + 5 + 7) / 4, (2 + 4 + 6 + 0) / 4
    assert found[0, 0].tolist() == pytest.approx([2.0, 1.5])


@pytest.mark.parametrize("name", ["tdsum", "gsum"])
def test_the_guided_attention_stands_between_the_decoders_own_and_that_to_the_article(name):
    model = disturbed(made(name))
    model.guide(GUIDING)
    (layer, _), order, given = model.model.decoder.layers, [], {}

    def note(place):
        def hook(module, args, kwargs, output):
            order.append(place)
            given[place] = (args[0] if args else kwargs["hidden_states"], output)

        return hook

    parts = {"own": layer.self_attn, "guided": model.guided_attention[0], "article": layer.encoder_attn}
    for place, part in parts.items():
        part.register_forward_hook(note(place), with_kwargs=True)
    logits(model)
    assert order == ["own", "guided", "article"]
    normalised, (attended, _) = given["guided"]
    assert torch.equal(given["article"][0], normalised + attended)


def test_presumm_scores_each_sentence_by_a_linear_layer():
    """Two sentences in five sub-words; the layers between them add zero, and LayerNorm of two numbers has 1
    for the greater and -1 for the other.

    States (4, 1) and (0, 3) with the positions (0, 1) and (.84, .54) are (4, 2) and (.84, 3.54): (1, -1) and
    (-1, 1) after the norm. W = (2, 1), b = .5: sigmoid(1.5) and sigmoid(-.5).
    """
    bert = BertModel(BertConfig(vocab_size=30, hidden_size=2, num_hidden_layers=1, num_attention_heads=1))
    model = ExtractiveEncoder(bert).eval()
    states = torch.tensor([[[4.0, 1], [8, 8], [8, 8], [0, 3], [8, 8]]])
    model.bert.forward = lambda **given: (states,)
    with torch.no_grad():
        for layer in model.between.layers:
            for last in (layer.self_attn.out_proj, layer.linear2):
                last.weight.zero_()
                last.bias.zero_()
        model.score.weight.copy_(torch.tensor([[2.0, 1.0]]))
        model.score.bias.fill_(0.5)
        ones = torch.ones(1, 5, dtype=torch.long)
        starts, there = torch.tensor([[0, 3]]), torch.ones(1, 2, dtype=torch.long)
        found = torch.sigmoid(model(IDS[:1], ones, torch.tensor([[0, 0, 0, 1, 1]]), starts, there))
    assert found[0].tolist() == pytest.approx([0.817574, 0.377541], abs=1e-4)


def test_a_gsum_without_keywords_in_one_row_guides_the_other_alone():
    model = disturbed(made("gsum"))
    model.guide(guidance([[0.0] * 5] * 2, [[0, 6, 2], [1, 1, 1]]))
    own, plain = logits(model), logits(as_plain(model))
    assert torch.equal(own[1], plain[1]) and not torch.equal(own[0], plain[0])
