# Every task of the project. Needs python3 (3.11 or newer), make and git; `make` alone lists the tasks.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
CLIENT := clients/python
INSTALL := $(BIN)/uv pip install --quiet --require-hashes --python
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-annotate --no-header $(if $(UPGRADE),--upgrade)

# uv reads no setting of pip's; a package mirror named for pip serves both.
ifdef PIP_INDEX_URL
ifndef UV_DEFAULT_INDEX
export UV_DEFAULT_INDEX := $(PIP_INDEX_URL)
endif
endif

# COMPILED=1 runs a task on the engine compiled (docs/decisions/0007), which needs a C compiler.
COMPILED_ENGINE := build/compiled
COMPILED_FIRST := PYTHONPATH=$(CURDIR)/$(COMPILED_ENGINE):$(CURDIR) PYTHONSAFEPATH=1
ifdef COMPILED
export $(COMPILED_FIRST)
PYTEST := $(BIN)/pytest -o "pythonpath=$(COMPILED_ENGINE) . clients/python"
ENGINE := $(COMPILED_ENGINE)/.made
else
PYTEST := $(BIN)/pytest
endif

.DEFAULT_GOAL := help
.PHONY: help install compile serve test test-fast test-long test-long-app check format openapi lock bench-engine bench-move bench-stream clean

help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo '  ARGS="..." is passed on to the command, PYTHON=python3.13 names another Python,'
	@echo '  COMPILED=1 serves, tests and measures with the engine compiled,'
	@echo '  DATABASE_URL=postgresql://... uses that server instead of the embedded one.'

install: $(VENV)/.run ## Make .venv: what serving needs, pinned and checked by hash

compile: $(COMPILED_ENGINE)/.made ## Compile the engine, which then takes half the time; it needs a C compiler

serve: $(VENV)/.run $(ENGINE) ## Serve on 127.0.0.1:8000 with a database of its own; Swagger UI at /docs
	$(BIN)/todas serve $(ARGS)

test: $(VENV)/.dev $(ENGINE) ## The whole suite, in two processes, each on a real Postgres
	$(PYTEST) -n 2 --dist loadfile $(ARGS)

test-fast: $(VENV)/.dev $(ENGINE) ## What needs no database, in under 30 seconds
	$(PYTEST) -m "not long and not slow" tests/engine tests/formats tests/test_architecture.py tests/test_packaging.py $(ARGS)

test-long: $(VENV)/.dev $(ENGINE) ## The engine's tests that take minutes
	$(PYTEST) tests/engine -m long $(ARGS)

test-long-app: $(VENV)/.dev $(ENGINE) ## The service's tests that take minutes
	$(PYTEST) tests/app -m long $(ARGS)

check: $(VENV)/.dev ## Format, lint, types, import contracts, container files, the committed contract
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/shellcheck .ci/run deploy/*.sh
	$(BIN)/hadolint Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml
	@$(BIN)/todas openapi /dev/stdout | diff - openapi/openapi.json || { \
		echo "openapi/openapi.json is not what the routes make (<): make openapi"; exit 1; }
	@$(BIN)/python -m app.stream.asyncapi | diff - openapi/asyncapi.json || { \
		echo "openapi/asyncapi.json is not what the frames make (<): make openapi"; exit 1; }

format: $(VENV)/.dev ## Format, and mend what the linter can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

openapi: $(VENV)/.run ## Write openapi/*.json and docs/settings.md again after a change of routes, frames or settings
	$(BIN)/todas openapi
	$(BIN)/python -m app.stream.asyncapi > openapi/asyncapi.json
	$(BIN)/python -m app.settings > docs/settings.md

lock: $(VENV)/.tools ## Write requirements/*.lock again after a change in pyproject.toml (UPGRADE=1: newest versions)
	$(LOCK) --group tools --output-file requirements/tools.lock
	$(LOCK) --group bench --output-file requirements/bench.lock
	$(LOCK) pyproject.toml $(CLIENT)/pyproject.toml --extra embedded --group dev --output-file requirements/dev.lock
	$(LOCK) pyproject.toml $(CLIENT)/pyproject.toml --extra embedded --constraints requirements/dev.lock --output-file requirements/run.lock
	$(LOCK) pyproject.toml --constraints requirements/dev.lock --output-file requirements/image.lock
	$(LOCK) --group compile --constraints requirements/dev.lock --output-file requirements/compile.lock

bench-engine: $(BENCH)/.peers ## Measure the engine, compiled and as it stands, beside other mahjong libraries
	@if command -v cc >/dev/null; then $(MAKE) --no-print-directory compile && $(COMPILED_FIRST) $(BENCH)/bin/python -m bench.engine; \
	else echo "Only the engine as it stands: to compile it takes a C compiler."; fi
	@$(BENCH)/bin/python -m bench.engine

bench-stream: $(VENV)/.dev $(ENGINE) ## Measure how soon sockets hear of moves, and what a socket holds
	$(BIN)/python -m bench.stream $(ARGS)

bench-move: $(VENV)/.dev $(ENGINE) ## Measure moves over HTTP beside pgbench on the same schema
	$(BIN)/python -m bench.move $(ARGS)

clean: ## Remove the environments and caches; the database in .todas stays
	rm -rf $(VENV) $(BENCH) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# Each stamp is newer than what it was made from, so an up-to-date install costs nothing.

$(VENV)/.tools: requirements/tools.lock
	@command -v $(PYTHON) >/dev/null || { \
		echo "Todas needs Python 3.11 or newer, and there is no $(PYTHON). Name yours: make PYTHON=... $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Todas needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Name another: make PYTHON=python3.13 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.run: requirements/run.lock pyproject.toml $(CLIENT)/pyproject.toml $(VENV)/.tools
	@$(INSTALL) $(BIN)/python --compile-bytecode -r $<
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable . --editable $(CLIENT)
	@touch $@

$(VENV)/.dev: requirements/dev.lock $(VENV)/.run
	@$(INSTALL) $(BIN)/python -r $<
	@touch $@

$(COMPILED_ENGINE)/.made: deploy/compile_engine.py $(shell find engine -name '*.py' -o -name '*.bin') $(VENV)/.dev
	@command -v cc >/dev/null || { echo "Compiling the engine needs a C compiler. On Debian and Ubuntu: apt-get install gcc"; exit 1; }
	@$(BIN)/python deploy/compile_engine.py $(COMPILED_ENGINE)
	@touch $@

$(BENCH)/.peers: requirements/bench.lock $(VENV)/.tools
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(BENCH)
	@$(INSTALL) $(BENCH)/bin/python -r $<
	@touch $@
