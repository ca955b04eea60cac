# make demo   sets up whatever is missing, then audits a shipped prescription
# make test   all tests
# make check  format, lint, types, import contracts and the fast tests: before every commit
# make bench  speed and size on this machine
# make formulary           writes docs/formulary.md anew, after the rules of the house
# make crosscheck          looks each statement up in the label it cites, and compares all with what machines read: LABELS=folder
PYTHON ?= python3
LABELS ?= ../shared/data
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
DEV    := $(VENV)/.installed-dev
UV     := $(shell command -v uv 2>/dev/null)

.PHONY: demo test check bench format formulary crosscheck clean

demo: $(STAMP)
	@$(BIN)/pharmakon audit examples/elderly-ward.json

test: $(DEV)
	$(BIN)/python -m pytest -n 2

check: $(DEV)
	$(BIN)/ruff format --check src tests benchmarks authoring conftest.py
	$(BIN)/ruff check src tests benchmarks authoring conftest.py
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 -m "not slow"

bench: $(DEV)
	$(BIN)/python -m benchmarks

format: $(DEV)
	$(BIN)/ruff format src tests benchmarks authoring
	$(BIN)/ruff check --fix src tests benchmarks authoring

formulary: $(DEV)
	$(BIN)/python -m authoring lint
	$(BIN)/python -m authoring page

crosscheck: $(DEV)
	$(BIN)/python -m authoring crosscheck $(LABELS)
	$(BIN)/python -m authoring agree $(LABELS)

clean:
	rm -rf $(VENV) build dist

$(STAMP): pyproject.toml
ifdef UV
	@$(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(UV) pip install --quiet --editable .
else
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
endif
	@touch $@

$(DEV): $(STAMP) requirements-dev.txt
ifdef UV
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(UV) pip install --quiet --requirement requirements-dev.txt
else
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt
endif
	@touch $@
