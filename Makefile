# `make demo` and `make test` do all their set-up themselves; they need Python 3.11 to 3.13 and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo test lint bench docs docs-check clean

$(INSTALLED): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt torch
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		--editable ".[arena,train,dev]"
	touch $@

# Train a small agent on Everest Go! for about four minutes and measure it against the baselines.
demo: $(INSTALLED)
	$(BIN)/python scripts/train.py everest_go --players 2 --opponents random,builder,greedy,self \
		--minutes 4 --steps 5000000 --out runs/demo --overwrite
	$(BIN)/python scripts/evaluate.py runs/demo --against random,builder,greedy \
		--json runs/demo/evaluation.json
	@echo
	@echo "The agent is runs/demo/final.zip, its learning curve runs/demo/learning_curve.png."
	@echo "Train on:  $(BIN)/python scripts/train.py --resume --out runs/demo --steps 10000000"

test: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(INSTALLED)
	$(BIN)/python benchmarks/throughput.py

docs: $(INSTALLED)
	$(BIN)/python scripts/make_docs.py

docs-check: $(INSTALLED)
	$(BIN)/python scripts/make_docs.py --check

clean:
	rm -rf $(VENV) runs dist .pytest_cache .mypy_cache .ruff_cache
