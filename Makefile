# Every target sets up by itself what it needs: Python 3.11 and pip are enough to begin.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
BASE   := $(VENV)/.base
READY  := $(VENV)/.ready
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: bundle compare compare-gateways help setup test coverage timing lint types format demo serve parts bench bench-short bench-importer bench-page bench-sandbox bench-search \
	conformance conformance-stdio race race-short kill kill-short soak soak-short docs decisions reference pictures screenshots clients clean \
	replicas replicas-short growth deploy-check

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# What a user installs; enough for the demo.
$(BASE): pyproject.toml setup.py constraints.txt
	$(PYTHON) -m venv $(VENV)
	@echo "Setting up .venv, which takes about a minute the first time …"
	$(PIP) -c constraints.txt -e .
	@touch $(BASE)

# What the tests, the linters and the benchmarks need on top.
$(READY): $(BASE) requirements-dev.txt
	$(PIP) -c constraints.txt -r requirements-dev.txt -e '.[semantic,postgres,otel,uvloop]'
	@touch $(READY)

setup: $(READY)  ## make .venv with everything in it

test: setup  ## the whole test suite
	$(BIN)/python -m pytest -n 2 $(ARGS)

timing: setup  ## the promises in seconds, one after the other on a quiet machine
	TOOLCRIB_TIMING=1 $(BIN)/python -m pytest -m timing $(ARGS)

coverage: setup  ## which lines the tests reach, child processes included; HTML in build/coverage/html
	rm -rf build/coverage && mkdir -p build/coverage
	$(BIN)/coverage run -m pytest -n 2 $(ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage html --quiet
	$(BIN)/coverage report | tail -n 60

lint: setup  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

parts: setup  ## which programs that tests need are here
	$(BIN)/python scripts/parts.py

types: setup  ## strict types
	$(BIN)/mypy

format: setup  ## apply the style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

serve: $(BASE)  ## serve the example project over stdio
	cd examples/shop && ../../$(BIN)/toolcrib serve

clean:  ## remove what the other targets made
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis

# The forms that fit into CI: the same programs, fewer rounds.
race-short: setup  ## 5,000 such tries
	$(BIN)/python benchmarks/race.py --tries 5000

race: setup  ## 100,000 tries to be led out of a root by swapped links
	$(BIN)/python benchmarks/race.py --tries 100000

siege: setup  ## a hostile repository and an agent that tries everything, on each rung of this machine
	$(BIN)/python benchmarks/siege.py $(ARGS)

# Left out is what needs blanket trust: changes of acting files that are served at once, and its own line in the log.
NEEDS_ALL := without_a_restart or reloaded or changes_nothing or logs_are_silent
test-untrusted: setup  ## the end-to-end tests once more, without TOOLCRIB_TRUST=all
	TOOLCRIB_TEST_UNTRUSTED=1 $(BIN)/python -m pytest -n 2 tests/e2e -k "not ($(NEEDS_ALL))" $(ARGS)

conformance: setup  ## the official MCP conformance suite, over HTTP (needs Node)
	$(BIN)/python tests/conformance/run.py

kill-short: setup  ## 40 kills and fewer writes
	$(BIN)/python benchmarks/kill.py --kills 40 --writes 40

kill: setup  ## 1,000 kills with -9 and 8 writers at once: no flag may be lost
	$(BIN)/python benchmarks/kill.py

demo: $(BASE)  ## walk through the example shop with a real client
	$(BIN)/toolcrib demo

build/clients/node_modules:
	npm install --no-audit --no-fund --prefix build/clients @anthropic-ai/claude-code @google/gemini-cli @openai/codex

clients: setup build/clients/node_modules  ## install into the real Claude Code, Codex and Gemini (needs npm)
	$(BIN)/python -m pytest tests/cli/clients/test_real_clients.py -rs

conformance-stdio: setup  ## the same suite over a pipe, behind a small bridge
	$(BIN)/python tests/conformance/run.py --stdio

bench-short: setup  ## the protocol's numbers in a few rounds
	$(BIN)/python benchmarks/protocol.py --only pipe --rounds 1 --calls 30

bench: setup  ## every number of the README: protocol, tools, documents, decisions, guide
	$(BIN)/python benchmarks/protocol.py
	$(BIN)/python benchmarks/climax.py
	$(BIN)/python benchmarks/architecture.py
	$(BIN)/python benchmarks/alignment.py
	$(BIN)/python benchmarks/guide.py
	$(BIN)/python benchmarks/gateway.py

reference: setup  ## write what is generated: commands, settings, errors, requirements, the guide's tools
	$(BIN)/python scripts/toolset.py
	$(BIN)/python scripts/reference.py
	$(BIN)/python scripts/requirements.py
	$(BIN)/python scripts/man.py

pictures: setup  ## draw the picture of the README and record the demo
	$(BIN)/python scripts/picture.py
	$(BIN)/python scripts/layers.py
	$(BIN)/python scripts/record.py

screenshots: setup  ## take the pictures of docs/dashboard.md in a real Chromium
	$(BIN)/python scripts/screenshots.py

$(VENV)/.docs: $(READY) requirements-docs.txt
	$(PIP) -c constraints.txt -r requirements-docs.txt
	@touch $@

docs: $(VENV)/.docs  ## build the documentation into site/, warnings as errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bundle: setup  ## dist/toolcrib-VERSION.mcpb for desktop clients; server.json says the same version
	$(BIN)/python scripts/bundle.py

compare: setup  ## install the public peers into build/compare and show what each does
	$(BIN)/python benchmarks/compare.py

compare-gateways: setup  ## install other gateways into build/compare and play faults on each
	$(BIN)/python benchmarks/gateways.py

bench-importer: setup  ## how much of --help an import takes over, program by program
	$(BIN)/python benchmarks/importer.py
	$(BIN)/python benchmarks/importer.py --truth benchmarks/importer_others.yaml

soak-short: setup  ## 1,000 commands in a row
	$(BIN)/python benchmarks/soak.py --calls 1000

bench-sandbox: setup  ## what a sandbox costs, beside none and beside release 0.1; the proxy
	$(BIN)/python benchmarks/sandbox.py

soak: setup  ## 10,000 commands in a row: no zombie, no file left open, no growth
	$(BIN)/python benchmarks/soak.py

bench-search: setup  ## how often the right tool is found, beside BM25 and FastMCP, as a table and a plot
	$(BIN)/python benchmarks/search.py

bench-page: setup  ## the page for people in a real Chromium, beside a blank page of the same server
	$(BIN)/python benchmarks/page.py $(ARGS)

decisions: $(BASE)  ## our own decisions and patterns, and the example's, by our own pack
	$(BIN)/toolcrib architecture lint --strict
	$(BIN)/toolcrib architecture check src
	$(BIN)/toolcrib architecture lint --strict --project examples/shop
	$(BIN)/toolcrib architecture check examples/shop/shop --project examples/shop

replicas: setup  ## three replicas, nginx, PostgreSQL and PgBouncer of our own, and every fault, as a table
	$(BIN)/python benchmarks/replicas.py

growth: setup  ## documents and tools by the ten thousand: two starts, and one change
	$(BIN)/python benchmarks/growth.py $(ARGS)

replicas-short: setup  ## two replicas, a few seconds per fault
	$(BIN)/python benchmarks/replicas.py --short

$(VENV)/.deploy: $(READY) requirements-deploy.txt
	$(PIP) -c constraints.txt -r requirements-deploy.txt
	@touch $@

deploy-check: $(VENV)/.deploy  ## what is in deploy/, by nginx, HAProxy, systemd and schemas, and a run of replicas
	$(BIN)/python scripts/deploy_check.py $(ARGS)
