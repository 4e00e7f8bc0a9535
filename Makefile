# make demo   set everything up and run the main job on built-in data
# make test   set everything up and run the tests
# make faults plant faults, one at a time, and count those the tests notice
# make house  how large the tree is, its import cycles, the way of data through it
# make papers  the experiments of the source papers, every number checked (about five minutes; PAPERS_ARGS=--quick for two)
# make lint   style and types        make bench   speed against other packages        make clean   start afresh
#
# Needed beforehand: python3 (3.11 or newer, with venv and headers), make, a C++ compiler.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
WHAT_KERNELS_COME_FROM := pyproject.toml CMakeLists.txt $(wildcard native/*)

.PHONY: demo test faults house papers lint bench bench-large simulations preflight clean
.DELETE_ON_ERROR:

demo: $(VENV)/.base
	$(BIN)/rocsteady demo --overwrite

# Two processes, each with one thread for matrix products: more would only wait for each other. Each takes half of the
# list, in its order, so that what the tests of a file share is made once; who is done first takes over some of the rest.
test: $(VENV)/.test
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q -n 2 --dist worksteal $(PYTEST_ARGS)

# About an hour; stopped, it goes on where it was while src/, papers/ and tests/ stay the same.
# FAULTS_ARGS='--step "what was done"' writes the share down; --n 10 --area readers for a few.
faults: $(VENV)/.test
	$(BIN)/python tools/plant_faults.py $(FAULTS_ARGS)

house: $(VENV)/.test
	$(BIN)/python tools/house.py $(HOUSE_ARGS)

# Into rocsteady-all, where an earlier run is replaced. PAPERS_ARGS="smroc --data DIR" is one of them, with its data.
papers: $(VENV)/.papers
	$(BIN)/python -m papers --overwrite $(PAPERS_ARGS)

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror native/*

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks $(BENCH_ARGS)

# A hundred million rows; BENCH_ARGS=--quick for ten million.
bench-large: $(VENV)/.bench
	$(BIN)/python -m benchmarks.large $(BENCH_ARGS)

simulations: $(VENV)/.base
	for script in simulations/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done
	$(BIN)/python -m simulations.coverage

# A stamp is older than what it was made from only when something has to be installed again, so the second run is
# quick and no stale kernel is ever tested.
$(VENV)/.python: | preflight
	@echo "creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade pip
	@touch $@

$(VENV)/.base: $(WHAT_KERNELS_COME_FROM) | $(VENV)/.python preflight
	@echo "installing rocsteady and building its kernels (about a minute the first time)"
	@$(PIP) install --editable ".[plot]"  # figures too: what the demo says to type next must work
	@touch $@

$(VENV)/.papers: $(VENV)/.base
	@echo "installing what the papers need"
	@$(PIP) install --editable ".[plot,sklearn]"
	@touch $@

$(VENV)/.test: $(VENV)/.base
	@echo "installing what the tests need"
	@$(PIP) install --editable ".[test]"
	@touch $@

# Half a gigabyte that most of us do without: the tests of Spark say so and are skipped.
$(VENV)/.spark: $(VENV)/.test
	@echo "installing Spark"
	@$(PIP) install --editable ".[spark]"
	@touch $@

$(VENV)/.lint: $(VENV)/.test
	@$(PIP) install --editable ".[lint]"
	@touch $@

$(VENV)/.bench: $(VENV)/.test benchmarks/requirements.txt
	@echo "installing the packages to compare with"
	@$(PIP) install --requirement benchmarks/requirements.txt
	@touch $@

# Says what a bare machine lacks, before anything fails in a less readable way.
preflight:
	@command -v $(PYTHON) >/dev/null || { echo "python3 is missing: apt install python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed, this is $$($(PYTHON) --version); name another: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
	  || { echo "Python's venv module is missing: apt install python3-venv"; exit 1; }
	@$(PYTHON) -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' \
	  || echo "note: Python's headers are missing (apt install python3-dev); the slower NumPy kernels will serve"
	@command -v $${CXX:-c++} >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null \
	  || echo "note: no C++ compiler (apt install g++); the slower NumPy kernels will serve"

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
