# One word per chore. Each makes the environment it needs; all but `bench` work offline once that is there.
PYTHON ?= $(firstword $(foreach p,python3.11 python3 python3.12 python3.13 python3.14,$(shell command -v $(p) 2>/dev/null)))
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo check test bench clean

demo: $(VENV)/.core
	$(BIN)/alp demo alp-demo

check: $(VENV)/.check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(VENV)/.test
	$(BIN)/pytest $(PYTEST_ARGS)

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) alp-demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# What is installed is remembered by a file each, made anew when the dependencies change.
$(VENV)/.core: pyproject.toml
	@test -n "$(PYTHON)" || { echo "make: Python 3.11 or newer is needed; say PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $(PYTHON) is older than 3.11; say PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "make: $(PYTHON) cannot make an environment; on Debian: apt install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test $(VENV)/.check $(VENV)/.bench: $(VENV)/.%: $(VENV)/.core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$*]'
	@touch $@
