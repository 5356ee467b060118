# Everything happens in .venv; nothing but python3 and make is needed.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint live bench docs clean

demo: .venv/installed
	$(BIN)/errtriage explain examples/overflow-then-assert.log

test: .venv/developing
	$(BIN)/python -m pytest -n auto

lint: .venv/developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

live: .venv/developing
	$(BIN)/python -c 'import torch' 2>/dev/null || $(BIN)/python -m pip install -q 'torch==2.13.0' numpy nbclient ipykernel
	$(BIN)/python -m pytest -m live -n 2 tests/live

# A quarter of an hour for all tables; `make bench ONLY="startup pipe"` prints those alone, `SIZE=100M` takes smaller logs.
SIZE ?= 1G
bench: .venv/benching
	$(BIN)/python benchmarks/run.py $(ONLY) --size $(SIZE)

docs: .venv/developing
	$(BIN)/errtriage kb docs docs/entries

.venv/created:
	$(PYTHON) -m venv .venv
	touch $@

.venv/installed: .venv/created pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	touch $@

.venv/developing: .venv/created pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	touch $@ .venv/installed

.venv/benching: .venv/developing
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev,fast,zstd,bench]'
	touch $@

clean:
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache
