"""What holds of all kernels: they leave their input alone, and they start anywhere."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from alp.geo import SPHERE
from alp.kernels import cells, laplace, metres, nearest, segments, smoothing, stays

R = SPHERE.radius_m
NOTHING = np.empty(0, np.int64)

CALLS = {
    "find_stays": lambda t, p, v: stays.find_stays(t, *p, 200.0, 900_000_000),
    "window_centroids": lambda t, p, v: stays.window_centroids(np.array([[0, 9]]), *p, R),
    "smooth": lambda t, p, v: smoothing.smooth(t, *p, 100.0, SPHERE.chord(100.0), R),
    "spread_evenly": lambda t, p, v: smoothing.spread_evenly(t),
    "spread_evenly_ms": lambda t, p, v: smoothing.spread_evenly_ms(t),
    "nearest": lambda t, p, v: nearest.nearest(*nearest.build_tree(*p), NOTHING, NOTHING, *v),
    "segment_tree": lambda t, p, v: segments.nearest_segment_squares(
        R, *segments.build_segment_tree(R, *p), *v
    ),
    "neighbours": lambda t, p, v: segments.neighbour_segment_squares(R, *p, np.arange(len(t)), *v),
    "cell_ids": lambda t, p, v: cells.cell_ids(*p, 15),
    "tangents": lambda t, p, v: laplace.tangents(*p, v[0], v[1], R),
    "travel": lambda t, p, v: laplace.travel(*p, *v, 1.0, R),
    "ground_lengths": lambda t, p, v: metres.ground_lengths(v[0], R),
}


@pytest.mark.parametrize("name", list(CALLS))
def test_kernels_leave_their_input_alone(name, walk):
    arrays = [walk.time_us.copy(), *(c.copy() for c in walk.points)]
    arrays += list(np.random.default_rng(1).uniform(0, 50, (3, len(walk))))
    before = [array.copy() for array in arrays]
    CALLS[name](arrays[0], arrays[1:4], arrays[4:])
    for array, kept in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, kept)


def test_noise_and_counting_leave_their_input_alone():
    uniforms = np.random.default_rng(1).random((3, 10))
    ids = np.array([4, 4, 12, 20], np.uint64)
    kept = uniforms.copy(), ids.copy()
    laplace.unit_displacements(uniforms)
    cells.count_common(ids[1:], ids)
    np.testing.assert_array_equal(uniforms, kept[0])
    np.testing.assert_array_equal(ids, kept[1])


# — where compiled kernels are kept —


def cache_folder(prelude="", **environment):
    """Return the cache folder that a fresh process chooses."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "HOME")}
    inherited.pop("XDG_CACHE_HOME", None)
    code = f"import os\n{prelude}\nimport alp.kernels\nprint(os.environ['NUMBA_CACHE_DIR'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=inherited | {k: str(v) for k, v in environment.items()},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_kernels_are_kept_in_the_cache_folder_of_the_user(tmp_path):
    assert cache_folder(XDG_CACHE_HOME=tmp_path) == str(tmp_path / "alp" / "kernels")
    assert cache_folder(HOME=tmp_path) == str(tmp_path / ".cache" / "alp" / "kernels")


def test_a_chosen_cache_folder_is_kept(tmp_path):
    assert cache_folder(NUMBA_CACHE_DIR=tmp_path / "mine") == str(tmp_path / "mine")


@pytest.mark.parametrize("variable", ["HOME", "XDG_CACHE_HOME"])
def test_without_a_writable_home_kernels_are_kept_in_the_temporary_folder(tmp_path, variable):
    (tmp_path / "file").touch()  # nothing can be made below a file, whoever asks
    folder = cache_folder(**{variable: tmp_path / "file" / "home", "TMPDIR": tmp_path})
    assert folder.startswith(str(tmp_path / "alp-kernels-"))


def test_an_account_without_a_home_keeps_kernels_in_the_temporary_folder(tmp_path):
    nobody = "import pwd\ndef missing(uid): raise KeyError(uid)\npwd.getpwuid = missing"
    folder = cache_folder(nobody, TMPDIR=tmp_path)
    assert folder.startswith(str(tmp_path / "alp-kernels-"))


def test_a_kernel_runs_without_a_writable_home(tmp_path):
    (tmp_path / "file").touch()
    run = "import numpy as np\nfrom alp.kernels.metres import ground_lengths\n"
    run += "assert ground_lengths(np.array([4.0]), 0.0)[0] == 2.0"
    home = tmp_path / "file" / "home"
    assert cache_folder(run, HOME=home, XDG_CACHE_HOME=home, TMPDIR=tmp_path)
    assert list(tmp_path.glob("alp-kernels-*/**/*.nbi"))
