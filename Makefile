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

# Train a small agent on Everest Go! by self-play for about three minutes, and benchmark it.
demo: $(INSTALLED)
	$(BIN)/python scripts/train.py everest_go --players 2 --minutes 3 --out runs/demo --overwrite \
		--set teacher=greedy --set opponents=self,greedy
	rm -f runs/demo/tournament.sqlite
	$(BIN)/python scripts/tournament.py everest_go --players 2 --deals 300 \
		--entrants random,builder,greedy,ppo,runs/demo \
		--store runs/demo/tournament.sqlite --report runs/demo/report.html
	@echo
	@echo "The agent is runs/demo, its learning curve runs/demo/learning_curve.png, the report"
	@echo "runs/demo/report.html. Among the entrants, ppo is the agent shipped for this table."

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
