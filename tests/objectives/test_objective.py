import pytest

from alp.errors import AlpError, ObjectiveError, UnknownNameError
from alp.metrics import metric_named
from alp.objectives import AtLeast, AtMost, Maximise, Minimise, parse_objective


@pytest.mark.parametrize(
    "sentence", ["minimise poi-retrieval", "minimize poi-retrieval", "MIN poi-retrieval"]
)
def test_minimise_has_several_spellings(sentence):
    assert parse_objective(sentence) == Minimise(metric_named("poi-retrieval"))


@pytest.mark.parametrize("verb", ["maximise", "maximize", "max"])
def test_maximise_has_several_spellings(verb):
    assert isinstance(parse_objective(f"{verb} area-coverage(level=13)"), Maximise)


def test_a_scale_and_a_weight_can_be_said():
    wish = parse_objective("minimise spatial-distortion(mode=polyline) scale 250 weight 2")
    assert (wish.scale, wish.weight, wish.metric.mode) == (250.0, 2.0, "polyline")
    assert wish.label == "spatial-distortion(mode=polyline)"


def test_the_scale_is_the_metrics_own_unless_said():
    assert parse_objective("minimise spatial-distortion").scale == 500.0
    assert parse_objective("minimise poi-retrieval").scale == 1.0


@pytest.mark.parametrize(
    ("sentence", "kind", "strict"),
    [
        ("poi-retrieval <= 0.1", AtMost, False),
        ("poi-retrieval<0.1", AtMost, True),
        ("area-coverage >= 0.5", AtLeast, False),
        ("area-coverage > 0.5", AtLeast, True),
    ],
)
def test_limits_are_comparisons(sentence, kind, strict):
    limit = parse_objective(sentence)
    assert isinstance(limit, kind)
    assert limit.strict is strict


@pytest.mark.parametrize(
    "sentence",
    ["", "poi-retrieval", "minimise", "lower poi-retrieval", "poi-retrieval = 0.1", "<= 1"],
)
def test_what_is_no_objective_is_refused_with_the_forms(sentence):
    with pytest.raises(ObjectiveError, match="minimise METRIC"):
        parse_objective(sentence)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("minimise poi-retrival", "did you mean 'poi-retrieval'"),
        ("minimse poi-retrieval", "did you mean 'minimise'"),
        ("minimise poi-retrieval(readng=literal)", "did you mean 'reading'"),
        ("minimise poi-retrieval(reading=litteral)", "did you mean 'literal'"),
        ("poi-retrieval <= little", "'little'.*not a number"),
        ("minimise poi-retrieval scale 0", "must be above 0"),
        ("minimise poi-retrieval weight -1", "must be above 0"),
        ("minimise poi-retrieval size 3", "known: scale, weight"),
        ("poi-retrieval <= nan", "must be a number"),
    ],
)
def test_a_mistake_is_named_with_its_remedy(sentence, words):
    with pytest.raises(AlpError, match=words):
        parse_objective(sentence)


def test_an_unknown_metric_is_an_unknown_name():
    with pytest.raises(UnknownNameError, match=r"known: .*area-coverage"):
        parse_objective("minimise beauty")
