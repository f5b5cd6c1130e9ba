# NomicGit's jobs. Each makes its virtual environment (.venv) itself, once for each pyproject.toml.
# Needed: Python 3.11 or newer, git, make. Where python3 is an older one: make play PYTHON=python3.13

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/installed

# A Python's version, if it is new enough and has a module; else nothing.
OLDEST := $(shell sed -n 's/^requires-python = ">=\(.*\)"$$/\1/p' pyproject.toml)
version = $(shell $(1) -c 'import sys, $(2); sys.version_info >= tuple(map(int, "$(OLDEST)".split("."))) and sys.stdout.write(sys.version)' 2>/dev/null)
# The Python of .venv, and the one that it should be: the one asked for by name, else whichever it is. Else .venv is made anew.
HAS := $(call version,$(BIN)/python,pip)
WANTED := $(or $(if $(filter file,$(origin PYTHON)),$(HAS),$(call version,$(PYTHON),venv)),none)
ifneq ($(HAS),$(WANTED))
.PHONY: $(STAMP)
endif
GOAL := $(or $(firstword $(MAKECMDGOALS)),play)
OLD = $(if $(call version,$(PYTHON),venv),,@echo "Python $(OLDEST) or newer is needed, and $(PYTHON) is $(or $(shell command -v $(PYTHON) >/dev/null && $(PYTHON) --version 2>&1 | head -n 1),none); name one: make $(GOAL) PYTHON=python3.13" >&2; exit 1)

# mkdocs-material announces another program on every run; two names, for two of its versions.
export NO_MKDOCS_2_WARNING := 1
export DISABLE_MKDOCS_2_WARNING := true

# What Python compiles is kept, the checks of the tests and of what hypothesis brings among it: else each process compiles it anew.
unexport PYTHONDONTWRITEBYTECODE

# The tests, and what they start, write and sync many small files: in memory, where there is room for them.
ROOMY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4000000 { print "/dev/shm" }')
ifneq ($(ROOMY),)
export TMPDIR ?= $(ROOMY)
endif

# What a machine may lack: make test WITHOUT=macos (tests/support/absent has the table).
ifneq ($(WITHOUT),)
LACKING := env WITHOUT=$(WITHOUT) PYTHONPATH=$(CURDIR)/tests/support/absent
endif

# Three workers keep two cores busy, since many tests wait for Git, a browser or a server. Each begins with its part of
# the tests, as they stand, and whoever is done first takes some of another's: so what a file makes for all of its tests, a site or a browser, is seldom made twice.
WORKERS := -n 3 --dist worksteal

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
CHANGES ?= 60
.PHONY: help play night test quick slowest tidy check bench years profile economy guards mutants site clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

play: $(STAMP) ## play a practice game of forty-three deeds before your eyes, verify it, build its site
	$(BIN)/python tools/play.py

night: $(STAMP) ## play a day of assassins in four clones, with sealed orders and letters
	$(BIN)/python tools/night.py

test: check ## everything that must hold: linters, types, all tests
	$(LACKING) $(BIN)/pytest $(WORKERS)

quick: $(STAMP) ## the tests that take no more than a moment
	$(LACKING) $(BIN)/pytest $(WORKERS) -m 'not slow'

slowest: $(STAMP) ## all tests, and what their files and the dearest of them cost the processor (WHAT=tests/rooms/law: some of them)
	PYTHONPATH=tests $(BIN)/pytest $(WORKERS) -p support.spent $(WHAT)

tidy: $(STAMP) ## format what you wrote, and mend what the linter can mend
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

check: $(STAMP) ## linters and types only
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

bench: $(STAMP) ## measure, against Git, Python and mkdocs themselves
	$(BIN)/python tools/bench.py

years: $(STAMP) ## measure seventeen years of a game, recorded, verified, as a site (SHARE=0.01: so much of them)
	$(BIN)/python tools/years.py --share $(or $(SHARE),1)

profile: $(STAMP) ## where the time goes, by rooms and functions (WHAT="vote replay": some of it)
	$(BIN)/python tools/profiles.py $(WHAT)

economy: $(STAMP) ## what the house costs its readers: Any, imports within functions, modules passed, beside their bars
	$(BIN)/python tools/economy.py

guards: $(STAMP) ## take every guard of the law, and of the program, out in turn, make each secret public, play long, then mutants: does a scenario, or a test, notice?
	$(BIN)/python tools/guards.py
	$(BIN)/python tools/mappings.py
	$(BIN)/python tools/guards.py --program
	$(BIN)/pytest $(WORKERS) --hypothesis-profile=deep $(shell grep -rl --include='test_*.py' 'from support.depth import' tests)
	$(MAKE) mutants

mutants: $(STAMP) ## change what the rules declare, CHANGES of each edition drawn by today's date (0: all): does a scenario notice?
	$(BIN)/python tools/guards.py --declared $(CHANGES) --seed $(shell date +%F)

site: $(STAMP) ## build this repository's site into site/
	$(BIN)/mkdocs build --strict

clean: ## take away what the others made, .venv included; a game that somebody has played on is kept
	$(if $(HAS),,$(OLD))
	$(if $(HAS),$(BIN)/python,$(PYTHON)) tools/kept.py play play-in-secret
	rm -rf .venv site .hypothesis .mypy_cache .ruff_cache .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml
ifneq ($(HAS),$(WANTED))
	$(OLD)
	$(PYTHON) -m venv --clear .venv
endif
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@
