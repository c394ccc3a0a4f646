# Two commands do everything, set-up included: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
BENCH_READY := .venv/.bench-ready

.PHONY: audit cluster-demo compiled demo test check bench chaos clean help proto screenshots strict

help:  ## what there is
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):.*## */make \1\t/'

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Paddock needs Python 3.11 or later; name one with: make PYTHON=python3.11")'
	@echo "setting up .venv (once)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

$(BENCH_READY): $(READY)
	@$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	@touch $@

FORMATS := summer winter series two-player two-player-winter two-player-series dino-twist dino-twist-small

DEMO := build/demo

demo: $(READY)  ## 1,000 simulated matches of every format, then a tournament over gRPC and its ladders
	@$(BIN)/paddock simulate --games 1000 --seed 1 --bots random,greedy $(FORMATS:%=--format %)
	@mkdir -p $(DEMO)
	@rm -f $(DEMO)/demo.db*
	@$(BIN)/paddock tournament run demo.toml --db $(DEMO)/demo.db
	@for format in $(FORMATS) overall; do $(BIN)/paddock ladder $$format --live --db $(DEMO)/demo.db || exit 1; done

proto: $(READY)  ## the wire code, made again from proto/
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python clients/python/generate.py > .venv/proto.log 2>&1 || { cat .venv/proto.log; exit 1; }
	@if command -v go > /dev/null; then $(MAKE) --no-print-directory -C clients/go generate; \
	else echo "clients/go/v1 is unchanged: install Go and run make proto again"; fi
	@if command -v cargo > /dev/null; then $(MAKE) --no-print-directory -C clients/rust generate; \
	else echo "clients/rust/src/v1.rs is unchanged: install Rust and run make proto again"; fi

test: check  ## the whole suite
	@$(BIN)/pytest -n 3 --dist worksteal $(if $(CI),--durations=25)

check: $(READY)  ## style, types and import rules
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/buf lint proto
	@$(BIN)/buf breaking proto --against tests/data/contract.json
	@$(BIN)/lint-imports > .venv/imports.log || { cat .venv/imports.log; exit 1; }

compiled: $(READY)  ## the rules as machine code, in build/compiled, and their tests over it
	@$(BIN)/python games/compiling.py
	@PYTHONPATH=build/compiled PADDOCK_TEST_COMPILED=1 $(BIN)/pytest -n 2 tests/games

bench: $(BENCH_READY)  ## how fast it is, beside its peers
	@$(BIN)/python -m bench.rules
	@$(BIN)/python -m bench.searching
	@$(BIN)/python -m bench.referee
	@$(BIN)/python -m bench.ladder
	@$(BIN)/python -m bench.standing
	@$(BIN)/python -m bench.store
	@$(BIN)/python -m bench.web
	@$(BIN)/python -m bench.readers
	@$(BIN)/python -m bench.hosting
	@$(BIN)/python -m bench.clients
	@$(BIN)/python -m bench.cluster
	@$(BIN)/python -m bench.takeover

AUDIT := build/audit

audit: $(READY)  ## known vulnerabilities of the dependencies; exit code 3: advisories can't be reached
	@test -x $(AUDIT)/bin/pip-audit || { $(PYTHON) -m venv $(AUDIT) && $(AUDIT)/bin/pip install --quiet --disable-pip-version-check pip-audit; }
	@$(BIN)/python .ci/audit.py $(AUDIT)/bin/pip-audit constraints.txt

MINUTES ?= 10
SEEDS ?= 1-100

chaos: $(READY)  ## faults on purpose: simulated worlds, then real servers; new bots of all languages in jails
	@$(BIN)/python -m tests.simulation --seeds $(SEEDS)
	@$(BIN)/python -m tests.chaos --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) --bots 40 --cups
	@$(BIN)/python -m tests.chaos --db cluster --minutes 0.2 --seed 3 --fault "off the bus" --without proof
	@$(BIN)/python -m tests.chaos --db cluster --minutes 0.2 --seed 3 --fault freeze --without fence
	@PADDOCK_TEST_ALL_IN_JAILS=1 $(BIN)/pytest -q tests/projects/test_new_bot.py -k next_steps

strict: $(READY)  ## tests of jails on a virtual machine that has all controllers of cgroup v2
	@$(BIN)/python -m tests.strict_machine

cluster-demo: $(READY)  ## three nodes on this machine, forty bots, a node that dies, the ladder
	@$(BIN)/python -m tests.cluster

screenshots: $(READY)  ## pictures of every page, into build/screenshots
	@$(BIN)/python -m tests.web.screenshots build/screenshots

clean:  ## remove what the commands above made
	rm -rf .venv build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
