import numpy as np
import pandas as pd
import pytest

import alp
from alp.errors import AlpError, DataError
from alp.town import Town


@pytest.fixture(scope="module")
def town():
    return Town(users=3, days=2, seed=5).dataset()


def test_the_example_of_the_product_page_runs(town):
    objectives = ["minimise poi-retrieval", "maximise area-coverage"]
    tuned = alp.tune(town["u001"], "promesse", objectives, seed=7)
    assert tuned.parameters.keys() == {"alpha"}
    assert 0 <= tuned.cost <= 2
    assert tuned.protected.user == "u001"
    assert tuned.steps.num_rows == 100
    result = alp.protect(town, "geo-i", per="day", domain={"epsilon": "0.005,0.02"}, seed=7)
    assert list(result.data) == list(town)
    assert len(result.report.rows) >= 6
    found = alp.evaluate(town, result.data, ["poi-retrieval", "area-coverage"])
    assert found.summary["area-coverage"]["defined"] == 3


def test_tuning_a_dataset_gives_a_report(town):
    report = alp.tune(town, "promesse", fixed={"alpha": 100})
    assert [row["user"] for row in report.rows] == ["u000", "u001", "u002"]
    assert report.to_arrow().num_rows == 3


def test_a_trace_a_table_and_a_mapping_can_be_protected(town):
    trace = town["u000"]
    frame = pd.DataFrame({"user": "u000", "time": trace.time, "lat": trace.lat, "lon": trace.lon})
    outputs = [
        alp.protect(data, "promesse", fixed={"alpha": 100}).data["u000"]
        for data in (trace, {"u000": trace}, frame)
    ]
    assert outputs[0] == outputs[1] == outputs[2]


def test_results_do_not_depend_on_which_users_are_there(town):
    everyone = alp.protect(town, "geo-i", fixed={"epsilon": 0.01}, seed=1).data["u002"]
    alone = alp.protect(town.only(["u002"]), "geo-i", fixed={"epsilon": 0.01}, seed=1).data["u002"]
    assert everyone == alone


def test_objects_serve_where_names_do(town):
    by_name = alp.tune(town["u000"], "promesse", fixed={"alpha": 100.0})
    by_object = alp.tune(town["u000"], alp.Promesse(alpha=100.0))
    assert by_name.protected == by_object.protected
    assert by_object.parameters == {"alpha": 100.0}


def test_strangers_are_refused(town):
    with pytest.raises(DataError, match="matched by name"):
        alp.evaluate(town.only(["u000"]), town)


def test_every_public_name_is_there_and_nothing_else():
    for name in alp.__all__:
        assert getattr(alp, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'tunes'"):
        alp.tunes  # noqa: B018


def test_a_mistake_is_an_alp_error(town):
    with pytest.raises(AlpError, match="did you mean 'geo-i'"):
        alp.tune(town["u000"], "geoi")
    with pytest.raises(TypeError, match="unexpected keyword argument 'objektives'"):
        alp.tune(town["u000"], "geo-i", objektives=[])


def test_the_input_is_left_alone(town):
    trace = town["u000"]
    before = (trace.time_us.copy(), trace.lat.copy(), trace.lon.copy())
    alp.tune(trace, "geo-i", domain={"epsilon": "0.01,0.02"})
    for old, new in zip(before, (trace.time_us, trace.lat, trace.lon), strict=True):
        assert np.array_equal(old, new)
