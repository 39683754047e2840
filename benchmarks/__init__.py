"""Time and memory of ALP beside its peers: `python -m benchmarks`.

Times are CPU seconds of one thread after a warm-up, so that a busy machine changes them little.
Each file measures one subject and yields rows of the table; nothing here is a test.
"""
