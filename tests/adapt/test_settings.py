import pickle

import pytest

from alp.adapt import Settings
from alp.errors import AlpError


@pytest.mark.parametrize(
    ("mechanism", "options", "words"),
    [
        ("geoi", {}, "did you mean 'geo-i'"),
        ("promesse", {"objectives": ["minimise poi"]}, "no metric is named 'poi'"),
        ("promesse", {"fixed": {"alpha": -1}}, "alpha of promesse must be a number of at least 0"),
        ("promesse", {"fixed": {"alpha": 1e-9}}, "0 or at least 0.01"),
        ("promesse", {"fixed": {"alpha": "wide"}}, "must be a number, but 'wide'"),
        ("promesse", {"fixed": {"alpha": float("nan")}}, "nan was given"),
        ("promesse", {"fixed": {"alhpa": 1}}, "did you mean 'alpha'"),
        ("geo-i", {"fixed": {"epsilon": 0}}, "epsilon of geo-i must be a number of at least"),
        ("geo-i", {"fixed": {"digits": 40}}, "digits of geo-i must be a number from 0 to 9"),
        ("promesse", {"domain": {"alpha": ""}}, "is empty"),
        ("promesse", {"domain": {"alpha": "linear(9,1,1)"}}, "is empty"),
        ("promesse", {"domain": {"alpha": "-5,5"}}, "alpha of promesse must be"),
        ("promesse", {"domain": {"beta": "1,2"}}, "no tunable parameter of promesse"),
        ("promesse", {"domain": {"alpha": "1,2"}, "fixed": {"alpha": 1}}, "choose one"),
        ("promesse", {"search": "anneal"}, "did you mean 'annealing'"),
        ("promesse", {"geometry": "flat"}, "no geometry is named 'flat'"),
        ("promesse", {"per": "week"}, "--per must be"),
        ("promesse", {"tz": "Mars"}, "no time zone"),
        ("promesse", {"sample": "often"}, "is no duration"),
        ("promesse", {"profile": "best"}, "no profile is named 'best'"),
        ("promesse", {"metrics": ["speed"]}, "no metric is named 'speed'"),
        ("promesse", {"seed": -1}, "--seed must be"),
        ("promesse(alpha=", {}, "is not of the form"),
    ],
)
def test_every_mistake_is_named(mechanism, options, words):
    with pytest.raises(AlpError, match=words):
        Settings.of(mechanism, **options)


def test_sound_never_publishes_raw_of_its_own_accord():
    for mechanism, parameter, raw in (("promesse", "alpha", 0.0), ("drop", "keep", 1.0)):
        (dimension,) = Settings.of(mechanism).space.dimensions
        assert dimension.name == parameter
        assert raw not in dimension.values
        (dimension,) = Settings.of(mechanism, allow_raw=True).space.dimensions
        assert raw in dimension.values


def test_paper2016_sets_everything_the_authors_way():
    settings = Settings.of("promesse", profile="paper2016")
    assert settings.geometry.name == "mercator"
    assert settings.per == "24h"
    assert settings.search.name == "annealing"
    assert not settings.recheck
    assert [o.label for o in settings.objectives] == [
        "poi-retrieval(reading=literal)",
        "area-coverage",
    ]
    (alpha,) = settings.space.dimensions
    assert alpha.values == tuple(float(a) for a in range(0, 501, 5))


def test_the_defaults_are_sound():
    settings = Settings.of("geo-i")
    assert (settings.geometry.name, settings.per, settings.search.name) == (
        "sphere",
        "user",
        "auto",
    )
    (epsilon,) = settings.space.dimensions
    assert len(epsilon.values) == 41
    assert (epsilon.values[0], epsilon.values[-1]) == (0.001, 0.1)


def test_settings_travel_to_other_processes():
    settings = Settings.of("geo-i", ["poi-retrieval <= 0.1"], seed=3, geometry="mercator")
    again = pickle.loads(pickle.dumps(settings))
    assert again.space == settings.space
    assert again.geometry is settings.geometry
    assert again.randomness == settings.randomness
