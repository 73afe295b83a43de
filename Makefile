# Variables, as in `make reproduce BENCHMARK=tac2014 TAC2014=/data/tac`: BENCHMARK (a name, or the path of your own folder),
# DATA (the folder of its release), TAC2014, PYRAMIDS, PMC_OA (folders of data), RESULTS (folder), CORES (2 by default),
# PROFILE=profiles/slurm (a cluster, see docs/cluster.md), CONFIG='mu=100 seed=3' (any settings), CONFIGFILE (a file of
# settings), PYTHON (program for the environment), PYTEST (options of the tests).
#
# make reproduce    run the study and write results/<benchmark>/report.html; by default on the synthetic demo benchmark
# make multiverse   redo the study in all defensible ways and update the page, see docs/multiverse.md
# make matrix       evaluate every metric on the benchmarks in DATA, the folder of `sera datasets get --all`, see docs/matrix.md
# make env          install the environment only: .venv/bin/sera and .venv/bin/snakemake
# make neural       install onnxruntime, and all-MiniLM-L6-v2 into models/minilm, for BERTScore without torch
# make guided       install torch and transformers into .venv-guided, see plugins/sera-guided/README.md
# make test         run the unit tests, a small study and the original programs; make test-all: also the whole workflow, servers, a cluster
# make lint         run ruff, mypy, and the linters of imports and of Snakemake
# make docs         write docs/configuration.md, and the documentation as pages, with that of tac2014_scores, to build/site
PYTHON ?= python3
CORES ?= 2
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.PHONY: reproduce multiverse matrix env neural guided test test-all lint docs help

# A value reaches a program unchanged: `value` does not expand it, and make does not export it, which would expand it.
VARIABLES := BENCHMARK DATA TAC2014 PYRAMIDS PMC_OA RESULTS CORES PROFILE CONFIG CONFIGFILE PYTHON PYTEST
GIVEN := $(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))),$(name)))
$(if $(filter-out $(VARIABLES) SHELL MAKEFLAGS,$(GIVEN)),$(error there is no variable $(filter-out $(VARIABLES),$(GIVEN)); see `make help`))
unexport $(VARIABLES)
quoted = '$(subst ','\'',$1)'
# $(call setting,VARIABLE,name): the setting with its value as a text of YAML, in blanks, since Snakemake strips quotes
setting = $(if $(value $1),$(call quoted,$2= "$(subst ",\",$(subst \,\\,$(value $1)))" ))
SETTINGS = $(call setting,BENCHMARK,benchmark) $(call setting,DATA,$(DATA_IS)) $(call setting,TAC2014,tac2014) $(call setting,PYRAMIDS,pyramids) \
	$(call setting,PMC_OA,pmc_oa) $(call setting,RESULTS,results) $(foreach pair,$(value CONFIG),$(call quoted,$(pair)))
DATA_IS := data
matrix: DATA_IS := datasets
FILE = $(if $(value CONFIGFILE),--configfile $(call quoted,$(value CONFIGFILE)))
HOW = $(if $(value PROFILE),--workflow-profile=$(call quoted,$(value PROFILE)),--cores=$(call quoted,$(value CORES)))
RUN = PYTHONPATH=plugins$${PYTHONPATH:+:$$PYTHONPATH} .venv/bin/snakemake --logger=steps $(HOW)

reproduce: .venv/ready
	$(RUN) $(FILE) $(if $(strip $(SETTINGS)),--config $(SETTINGS))
	@.venv/bin/python -m study show $(FILE) $(SETTINGS)

# The page shows the multiverse: a second run writes it. For each finished job, Snakemake selects jobs again once per
# timespan until the run ends; with the default of a second, this takes a third of a core.
multiverse matrix: .venv/ready
	$(RUN) --max-jobs-per-timespan=1000/10s $@ $(FILE) $(if $(strip $(SETTINGS)),--config $(SETTINGS))
	$(if $(filter multiverse,$@),$(RUN) $(FILE) $(if $(strip $(SETTINGS)),--config $(SETTINGS)))
	@.venv/bin/python -m study show $@ $(FILE) $(SETTINGS)

env: .venv/ready
# the workflow reads the plug-in's names and settings: it is in .venv too, without torch
guided: .venv-guided/ready .venv/ready
	@envs/make_env.sh $(call quoted,$(value PYTHON)) envs/requirements.lock .venv plugins/sera-guided
neural: .venv/ready
	.venv/bin/python -m pip install --quiet --require-hashes --requirement envs/requirements-neural.lock
	envs/get_minilm.sh models/minilm
help:
	@sed -n -e '/^#/!q' -e 's/^# \{0,1\}//p' $(call quoted,$(lastword $(MAKEFILE_LIST)))

docs: .venv/ready-test
	.venv/bin/python -m study.settings.documentation
	$(RUN) --config benchmark=tac2014_scores results=build/results
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet

lint: .venv/ready-test
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	PYTHONPATH=plugins/sera-guided .venv/bin/lint-imports --no-cache
	.venv/bin/snakefmt --check Snakefile rules
	.venv/bin/snakemake --lint
	.venv/bin/mypy

# what `make test` runs; of the rest, the tests of servers and of a cluster run one after another
QUICK := tests/unit tests/study tests/originals tests/workflow/test_recorded_study.py
SERVERS := $(wildcard tests/originals/test_elasticsearch.py) tests/workflow/test_slurm.py
IN_PARALLEL = .venv/bin/pytest -n $(call quoted,$(value CORES)) --dist loadfile $(SERVERS:%=--ignore=%)

test: .venv/ready-test
	$(IN_PARALLEL) $(QUICK) $(PYTEST)

test-all: .venv/ready-test
	tests/install_browser.sh
	$(IN_PARALLEL) $(PYTEST)
	tests/slurm_cluster/install.sh
	.venv/bin/pytest $(SERVERS) $(PYTEST)

.venv/ready: envs/requirements.lock
.venv/ready-test: envs/requirements-test.lock .venv/ready
.venv-guided/ready: envs/requirements-guided.lock
.venv/ready .venv/ready-test .venv-guided/ready: pyproject.toml
	@envs/make_env.sh $(call quoted,$(value PYTHON)) $(filter %.lock,$^) $(@D) $(if $(filter .venv/ready,$@),,plugins/sera-guided) && touch $@
