# The two commands a fresh machine needs are `make run` and `make test`; both set up .venv first.
PYTHON ?= python3
BIN := .venv/bin

# uv sets up in seconds what takes pip a minute. It uses the mirror that pip is configured for. If uv is not available
# or cannot download the packages, pip is used.
MIRROR = $$($(BIN)/python -m pip config list | sed -n "s/.*\.index-url='\(.*\)'/\1/p" | head -n 1)
EXTRAS := lab,papers,web
# The dependency groups of pyproject.toml go through a list of requirements, because old pips do not know groups.
install = echo "Setting up .venv …"; index="$(MIRROR)"; \
	$(BIN)/python tools/group.py $(1) > .venv/group-$(1).txt || exit 1; \
	$(BIN)/uv pip install --quiet $(2) --python $(BIN)/python $${index:+--default-index "$$index"} \
		--constraint constraints.txt --requirement .venv/group-$(1).txt --editable '.[$(EXTRAS)]' \
	|| $(BIN)/python -m pip install --quiet --constraint constraints.txt --requirement .venv/group-$(1).txt --editable '.[$(EXTRAS)]'

.PHONY: run test quick slow full siege fuzz mutants pictures lint bench dist audit site clean

run: .venv/.ready
	$(BIN)/yatzy serve

# Six minutes on two cores; `make slow` runs the tests that take longer (ten minutes), and `make full` those that take hours.
# Style and types are checked beside the tests: mypy uses one core for half a minute.
test: .venv/.ready-dev
	@$(MAKE) --no-print-directory -j 2 lint quick

# The tests start hundreds of processes. Without compiled bytecode each of them would compile what it imports.
quick slow full: export PYTHONDONTWRITEBYTECODE =

quick: .venv/.ready-dev
	$(BIN)/python -m pytest -n 2 --dist loadfile --durations 10

# Tests go to whichever core is free: some files have few tests that take minutes.
slow: .venv/.ready-dev
	$(BIN)/python -m pytest -m slow -n 2 --dist worksteal --durations 10

full: .venv/.ready-dev
	$(BIN)/python -m pytest -m full --durations 10

# Resumes after an interruption; SIEGE="kills --seed 2" runs one campaign with other dice.
siege: .venv/.ready-dev
	PYTHONPATH=tests $(BIN)/python -m siege --out siege-report $(SIEGE)

fuzz: .venv/.ready-dev
	PYTHONPATH=tests $(BIN)/python -m helpers.record_fuzz 1000000

# Resumes after an interruption; MUTANTS="names store --count 50 --seed 2" tries others.
mutants: .venv/.ready-dev
	PYTHONPATH=tests $(BIN)/python -m mutants --jobs 2 --out mutants-report $(MUTANTS)

# Pictures of every view of the page to look at, in every language, light and dark; with PICTURES="--only table,review" of some.
pictures: .venv/.ready-dev
	PYTHONPATH=tests $(BIN)/python -m helpers.pictures $(OUT) $(PICTURES)

lint: .venv/.ready-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: .venv/.ready-bench
	$(BIN)/python -m benchmarks

# The wheel and the source archive, and whether the wheel works in an empty environment of each of PYTHONS.
PYTHONS ?= $(PYTHON)
dist: .venv/.ready-dev
	rm -rf build dist
	$(BIN)/python -m build --quiet
	$(BIN)/python tools/smoke.py dist/*.whl $(PYTHONS)

audit: .venv/.ready-audit
	$(BIN)/python tools/audit.py

# The documentation as a site in site/; warnings, broken links and requests to other hosts are errors.
site: .venv/.ready-site
	rm -rf site
	$(BIN)/zensical build --strict --clean
	$(BIN)/python tools/check_site.py site

clean:
	rm -rf .venv build dist site .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache src/*.egg-info
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

.venv/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "yatzy needs Python 3.11 or later; say make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	-$(BIN)/python -m pip install --quiet --constraint constraints.txt uv
	@touch $@

.venv/.ready: .venv/.made pyproject.toml constraints.txt
	@$(call install,)
	@touch $@

.venv/.ready-dev: .venv/.made pyproject.toml constraints.txt
	@$(call install,dev,--compile-bytecode)
	@touch $@ .venv/.ready

.venv/.ready-bench: .venv/.made pyproject.toml constraints.txt
	@$(call install,bench)
	@touch $@ .venv/.ready

.venv/.ready-site: .venv/.made pyproject.toml constraints.txt
	@$(call install,site)
	@touch $@ .venv/.ready

.venv/.ready-audit: .venv/.made pyproject.toml constraints.txt
	@$(call install,audit)
	@touch $@ .venv/.ready
