# One verb per target. `make help` lists them; nothing else needs to be remembered.
#
# Needs Rust and Python 3.11 or newer. Everything else goes into ./.venv and ./target, made on first use:
#   .venv/.tools  the pinned tools are installed (again when pyproject.toml changes)
#   .venv/.built  the extension is built (again when a Rust source or a Cargo file changes)

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

VENV := .venv
BIN := $(VENV)/bin
TARGET := $(or $(CARGO_TARGET_DIR),target)
# Directories are listed too: adding or removing a file changes its folder.
RUST := $(shell find rust -name '*.rs' -o -name Cargo.toml -o -type d) Cargo.toml Cargo.lock
PYTHON_CODE := python tests examples benchmarks scripts

# A virtual environment of the caller must not leak into ours.
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME CONDA_PREFIX
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help setup build demo demo-crash test test-rust test-python test-pythons soak lint lint-rust lint-python fmt bench docs clean

help: ## List the verbs
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.tools ## Make .venv with the pinned tools

build: $(VENV)/.built ## Build the extension module into .venv

demo: $(VENV)/.built ## Run examples/document_report: a deployment over these docs, its report and its trace
	@$(BIN)/python -m examples.document_report

demo-crash: $(VENV)/.built ## Kill the demo in the middle of its work and finish its run in another process
	@$(BIN)/python -m examples.document_report.crash

test: test-rust test-python test-pythons ## Run every test: Rust, doctests, Python (each interpreter found)

test-rust: ## Rust tests and doctests
	@scripts/test-rust

test-python: $(VENV)/.built ## Python tests on the interpreter of .venv
	@$(BIN)/python -m pytest $(PYTEST)

test-pythons: $(VENV)/.built ## The same module and tests on the other interpreters found (3.12 and up)
	@scripts/test-pythons

soak: $(VENV)/.built ## Kill a thousand processes at random and look whether their runs survive (minutes)
	WF_SOAK=1000 $(BIN)/python -m pytest -q tests/crashes

lint: lint-rust lint-python ## Every static check; warnings are errors

lint-rust:
	cargo fmt --check
	cargo clippy --locked --workspace --all-targets --target-dir $(TARGET)/lint -- -D warnings

lint-python: $(VENV)/.built
	$(BIN)/ruff check $(PYTHON_CODE)
	$(BIN)/ruff format --check $(PYTHON_CODE)
	$(BIN)/python scripts/format_cases.py --check tests/cases/*.json
	$(BIN)/mypy $(PYTHON_CODE)
	$(BIN)/python -m mypy.stubtest _wf._native --allowlist python/_wf/stubtest_allowlist.txt

fmt: $(VENV)/.tools ## Format all code and apply the safe fixes
	cargo fmt
	$(BIN)/ruff format $(PYTHON_CODE)
	$(BIN)/ruff check --fix $(PYTHON_CODE)
	$(BIN)/python scripts/format_cases.py tests/cases/*.json

bench: $(VENV)/.built ## Measure against plain Python (PEERS=1: and its peers); writes docs/performance.md
	@scripts/bench $(if $(PEERS),peers) $(BENCH)

docs: $(VENV)/.docs ## Build the site into ./site and the Rust docs into target/doc; warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --release

clean: ## Remove what the verbs made (target/ included)
	rm -rf $(VENV) .venv-3.* $(TARGET) site

$(VENV)/.tools: pyproject.toml scripts/find-python
	@scripts/make-venv $(VENV) dev
	@touch $@

$(VENV)/.docs: $(VENV)/.built
	@$(BIN)/python -m pip install --quiet --group docs
	@touch $@

# Standard output is pip's list of what is there already; cargo's progress and every error go to standard error.
$(VENV)/.built: $(VENV)/.tools $(RUST)
	@$(BIN)/maturin develop --locked --release >/dev/null
	@touch $@
