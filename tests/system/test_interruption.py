"""Ctrl-C ends within a second or two, and leaves nothing unfinished behind."""

import os
import signal
import subprocess
import sys
import time

import pytest

from alp.io import open_writer
from alp.town import Town


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("after_s", [4.0, 6.0])
def test_ctrl_c_ends_soon_and_leaves_no_output(tmp_path, workers, after_s):
    with open_writer(tmp_path / "town.parquet") as writer:
        for trace in Town(users=4, days=60, seed=1).dataset().values():
            writer.write(trace)
    code = "from alp.cli import main; main()"
    arguments = ("protect", "town.parquet", "out.csv", "-m", "geo-i", "--workers", workers)
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(after_s)
    assert process.poll() is None, "the work must be long enough to be interrupted"
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    _, errors = process.communicate(timeout=30)
    assert time.monotonic() - start < 10  # two seconds on a quiet machine
    assert process.returncode == 130
    assert errors == "alp: error: interrupted; no unfinished file was left behind\n"
    assert sorted(os.listdir(tmp_path)) == ["town.parquet"]
