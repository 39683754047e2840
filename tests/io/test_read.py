"""The door: which format reads what, and what is said when none does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from alp.errors import DataError, UnknownNameError
from alp.io import FORMATS, read
from alp.io._frame import polars_errors

GEOLIFE = Path("../shared/data/geolife.parquet")


def test_importing_the_door_imports_no_table_library():
    code = "import alp.io, sys; print(sorted({'polars', 'pyarrow', 'pandas'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_declares_what_it_is(name):
    cls = FORMATS[name]
    assert cls.name == name
    assert cls.help
    assert cls.time_zones
    assert cls.reads or cls.writes
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in cls.suffixes)


def test_no_two_formats_share_a_suffix():
    suffixes = [suffix for name in FORMATS for suffix in FORMATS[name].suffixes]
    assert len(suffixes) == len(set(suffixes))


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(DataError, match=r"nowhere.csv does not exist; check the name"):
        read(tmp_path / "nowhere.csv")


def test_a_folder_that_is_none_of_ours_is_told(tmp_path):
    (tmp_path / "notes.md").write_text("")
    with pytest.raises(DataError, match="is a folder of no known format: a folder may hold"):
        read(tmp_path)


def test_a_folder_called_csv_is_no_csv(tmp_path):
    (tmp_path / "walk.csv").mkdir()
    with pytest.raises(DataError, match="is a folder of no known format"):
        read(tmp_path / "walk.csv")


def test_an_unknown_suffix_lists_the_known_ones(tmp_path):
    (tmp_path / "walk.xyz").write_text("")
    with pytest.raises(DataError, match=r"suffix '.xyz'.*\.csv, .*\.parquet"):
        read(tmp_path / "walk.xyz")


def test_an_unknown_format_lists_the_known_ones(tmp_path):
    (tmp_path / "walk.csv").write_text("time,lat,lon\n1,2,3\n")
    with pytest.raises(UnknownNameError, match="no format is named 'cvs'; did you mean 'csv'"):
        read(tmp_path / "walk.csv", format="cvs")


@pytest.mark.parametrize("suffix", [".CSV", ".Txt"])
def test_the_case_of_a_suffix_is_no_matter(tmp_path, suffix):
    (tmp_path / f"walk{suffix}").write_text("time,lat,lon\n1,2,3\n")
    assert read(str(tmp_path / f"walk{suffix}")).users == ("walk",)


def test_the_geometry_is_the_asked_one(tmp_path):
    (tmp_path / "walk.csv").write_text("time,lat,lon\n1,2,3\n")
    assert read(tmp_path / "walk.csv", geometry="mercator")["walk"].geometry.name == "mercator"


def raise_(error):
    raise error


def test_a_panic_of_polars_is_one_line():
    def panicking():
        with polars_errors("walk.csv"):
            raise_(pl.exceptions.PanicException("index out of bounds\n39.9, 116.3"))

    with pytest.raises(DataError, match=r"^walk.csv cannot be read as a table \(PanicException\)"):
        panicking()


@pytest.mark.geolife
@pytest.mark.skipif(not GEOLIFE.exists(), reason="the Geolife dataset is not here")
def test_geolife_opens_without_being_read():
    data = read(GEOLIFE)
    assert len(data) == 182
    assert sum(data.size(user) for user in data) == 24_657_817
    assert len(data["030"]) == data.size("030") - data.repairs["duplicate"]
