# The two commands a fresh machine needs are `make run` and `make test`; both set up .venv first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test slow fuzz lint bench clean

run: .venv/.ready
	$(BIN)/yatzy serve

test: lint
	$(BIN)/python -m pytest -n 2 --dist loadfile

slow: .venv/.ready-dev
	$(BIN)/python -m pytest tests/slow

fuzz: .venv/.ready-dev
	$(BIN)/python tests/test_record_fuzz.py 1000000

lint: .venv/.ready-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: .venv/.ready-bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache src/*.egg-info
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

.venv/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "yatzy needs Python 3.11 or later; say make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	@touch $@

.venv/.ready: .venv/.made pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[lab,papers,web]'
	@touch $@

.venv/.ready-dev: .venv/.made pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@ .venv/.ready

.venv/.ready-bench: .venv/.made pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[bench]'
	@touch $@
