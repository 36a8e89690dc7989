# `make run` shows the main job on an embedded stack, `make test` runs the tests; both set up first.
# PYTHON names the interpreter of a new set-up; ARGS is handed on: make run ARGS="--ticks 12".

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
STACK := .venv-stack/bin/python
BENCH := .venv-bench/bin/python
SOURCES := layers local functions tests bench docs
BROWSER := chromium chromium-headless-shell fontconfig fonts-nanum
# Of targets side by side, each prints at its end; macOS has a make that cannot.
WHOLE_LINES := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
REQUIRED := "uRing needs Python 3.11 or later; name one: make PYTHON=/path/to/python3.13"

export SAM_CLI_TELEMETRY := 0
# Hundreds of processes import the same modules: compiled once, not by each of them.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup browser run test collect faults guards months pages policies replay fuzz schemathesis kills pictures check lint types template build emulate bench lock vendor clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 10

# Set-up ------------------------------------------------------------------------------------------

# The stamps are as old as the last set-up: a change of a lock file or of pyproject.toml repeats it.
setup: .venv/ready .venv-stack/ready ## environments of its own, locked with hashes; the others call it

.venv/ready: requirements/bootstrap.txt requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo $(REQUIRED) >&2; exit 1; }
	@echo "setting up .venv: the tools, some ten seconds and the downloads, once"
	@$(PYTHON) -m venv --clear .venv || { echo "no venv module: Debian has it in python3-venv" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/bootstrap.txt
	@$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements/dev.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

# MiniStack and the Lambda runtime's client: they pin a botocore of their own.
.venv-stack/ready: requirements/stack.txt .venv/ready
	@echo "setting up .venv-stack: the embedded stack"
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-stack
	@$(BIN)/uv pip sync --quiet --python $(STACK) --require-hashes requirements/stack.txt
	@touch $@

.venv-bench/ready: requirements/bench.txt .venv/ready
	@echo "setting up .venv-bench: what is measured beside it"
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-bench
	@$(BIN)/uv pip sync --quiet --python $(BENCH) --require-hashes requirements/bench.txt
	@touch $@

.venv-scan/ready: requirements/scan.txt .venv/ready
	@echo "setting up .venv-scan: the template's scanner"
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-scan
	@$(BIN)/uv pip sync --quiet --python .venv-scan/bin/python --require-hashes requirements/scan.txt
	@touch $@

.venv-api/ready: requirements/api.txt .venv/ready
	@echo "setting up .venv-api: what asks the HTTP APIs"
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-api
	@$(BIN)/uv pip sync --quiet --python .venv-api/bin/python --require-hashes requirements/api.txt
	@touch $@

# Debian's, since it brings its own libraries; the fonts have Korean for the pictures.
browser: ## Chromium, for the tests of the client
	@has() { command -v "$$1" >/dev/null; }; \
	needs() { echo "install $(BROWSER), or such commands and a font with Korean" >&2; exit 1; }; \
	if has chromium && has chromium-headless-shell && [ -n "$$(fc-list :lang=ko 2>/dev/null)" ]; then exit 0; fi; \
	has apt-get || needs; \
	if [ "$$(id -u)" = 0 ]; then sudo=; elif has sudo; then sudo=sudo; else needs; fi; \
	echo "installing Debian's $(BROWSER), half a minute, once"; \
	$$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive \
	  apt-get install -qq -y --no-install-recommends $(BROWSER) >/dev/null

# Use ---------------------------------------------------------------------------------------------

run: setup ## the main job on an embedded stack
	@$(BIN)/uring run $(ARGS)

# Four at a time on two cores: many wait for a queue's time-out.
test: setup ## the tests, but for the client's
	@$(BIN)/pytest --numprocesses 4 --dist worksteal --ignore tests/web $(ARGS)

# Four workers would each compile all of them anew, at the same time.
collect: setup ## the tests, imported and compiled, not run
	@names=$$($(BIN)/pytest --collect-only --ignore tests/web) || { echo "$$names"; exit 1; }

# Two browsers fill two cores. Their event loops are no other test's: a run of their own.
pages: setup browser ## the tests of the client, in a browser
	@$(BIN)/pytest --numprocesses 2 --dist worksteal tests/web $(ARGS)

build: setup ## both architectures: what each part weighs, and that it can be imported
	@$(BIN)/python -m uring_local.build.build

emulate: build ## the built functions under Lambda's runtime emulator, with every file in events/
	@PYTHONPATH=tests $(BIN)/python -m emulator $(ARGS)

bench: setup .venv-bench/ready ## measurements, beside urlwatch on the same pages
	@PYTHONPATH=tests $(BIN)/python bench $(ARGS)

faults: setup ## every pair of faults in every scenario, some six hours on two cores
	@PYTHONPATH=tests $(BIN)/python tests/faults $(ARGS)

months: setup ## a hundred ticks of every family, for eight seeds: some nine minutes each
	@for seed in 1 2 3 4 5 6 7 8; do $(BIN)/uring run --in-process --ticks 100 --seed $$seed || exit; done

policies: setup ## what each function uses at AWS, what its role allows, and the difference
	@PYTHONPATH=tests $(BIN)/python tests/policies
	@EVERY_CASE=1 $(BIN)/pytest --numprocesses 2 tests/policies

replay: setup ## a thousand ticks over the campus site: false pushes, missed changes
	@PYTHONPATH=tests $(BIN)/python tests/replay $(ARGS)

fuzz: setup ## hostile pages, states and messages, a minute each: ARGS="--seconds 300"
	@PYTHONPATH=tests $(BIN)/python tests/fuzz $(ARGS)

schemathesis: setup .venv-api/ready ## all that the API's document allows, and more: ARGS="--stack NAME" asks a stack
	@PYTHONPATH=tests $(BIN)/python tests/api $(ARGS)

kills: setup ## a run that is killed forty times and goes on, some twenty minutes
	@PYTHONPATH=tests $(BIN)/python tests/kills $(ARGS)

pictures: setup browser ## the documents' pictures anew, from a run
	@$(BIN)/python docs/pictures.py $(ARGS)
	@$(BIN)/python docs/run_svg.py
	@$(BIN)/python docs/architecture_svg.py

guards: setup ## each guard of the data taken away, and the test that falls: ARGS="--only hint"
	@$(BIN)/python tests/guards $(ARGS)

# Gate --------------------------------------------------------------------------------------------

# What is quick falls first, and what takes one core runs beside another. The tests run under the
# emulator what `build` leaves, as `emulate` does.
check: setup browser ## all that must hold before a change is accepted
	@SAMPLED=1 $(MAKE) --no-print-directory --jobs 3 $(WHOLE_LINES) pages collect lint types template build schemathesis
	@$(MAKE) --no-print-directory test

lint: setup
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

types: setup
	$(BIN)/mypy

# `sam validate --lint` is cfn-lint; scanners miss in SAM what is plain in its expansion. W1028: SAM
# repeats an API's condition in its body, where it can be nothing but true.
template: setup .venv-scan/ready
	$(BIN)/sam validate --lint --region ap-northeast-2 --template-file template.yaml
	$(BIN)/cfn-lint --regions us-east-1 --template firewall.yaml
	@mkdir -p .build
	$(BIN)/python -m uring_local.template.expansion > .build/expanded.json
	$(BIN)/cfn-lint --regions ap-northeast-2 --ignore-checks W1028 --template .build/expanded.json
	.venv-scan/bin/checkov --config-file .checkov.yaml --file .build/expanded.json

# Upkeep ------------------------------------------------------------------------------------------

# One lock for everything that is tested together; what is shipped takes its versions from it.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links $(ARGS)

lock: setup ## new lock files; ARGS=--upgrade takes the newest versions
	$(COMPILE) requirements/bootstrap.in --output-file requirements/bootstrap.txt
	$(COMPILE) pyproject.toml requirements/dev.in --output-file requirements/dev.txt
	$(COMPILE) requirements/stack.in --output-file requirements/stack.txt
	$(COMPILE) requirements/bench.in --output-file requirements/bench.txt
	$(COMPILE) requirements/scan.in --output-file requirements/scan.txt
	$(COMPILE) requirements/api.in --output-file requirements/api.txt
	$(COMPILE) requirements/layer.in --constraint requirements/dev.txt --output-file layers/core/requirements.txt
	$(COMPILE) requirements/notifier.in --constraint requirements/dev.txt --output-file functions/notifier/requirements.txt
	$(COMPILE) requirements/subscription_api.in --constraint requirements/dev.txt --output-file functions/subscription_api/requirements.txt
	$(COMPILE) requirements/text_extractor.in --constraint requirements/dev.txt --output-file functions/text_extractor/requirements.txt
	$(COMPILE) requirements/seed_worker.in --constraint requirements/dev.txt --output-file containers/seed-worker/requirements.txt

vendor: setup ## the client's libraries anew, as web/vendor/vendor.json names them; needs npm
	@$(BIN)/python -m uring_local.vendor

clean: ## removes everything that was made
	rm -rf env.json .venv .venv-stack .venv-api .venv-bench .venv-scan .build .aws-sam .uring .mypy_cache .ruff_cache .pytest_cache .hypothesis .fuzz
