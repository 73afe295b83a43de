# make reproduce   run the whole study, on the synthetic demo benchmark, and write results/<benchmark>/report.html, see docs/report.md
# make report      the same, and Snakemake's own report
# make expected    keep Table 2 of the latest results as the expected numbers of its benchmark
# make pictures    update the README's picture from the latest results
# make fidelity    run the tests and write docs/fidelity.md: which original each part was checked against
# make test        run the tests
# make test-quick  run the unit tests that are not marked slow, in about a minute
# make fuzz SECONDS=600 SEED=0   test damaged files and odd options for this time; findings go to build/fuzz
# make test-elasticsearch   test the Elasticsearch engine on its own server; needs Java and Maven
# make test-slurm  test the study on a local SLURM; installs its Debian packages if run as root
# make download PMC_OA=folder [GROUPS=oa_comm,...]   fetch PubMed Central's packages, or resume fetching them
# make audit       find the numbers of systems for which the published rank correlations are possible, see docs/audit.md
# make multiverse  run the defensible ways to redo the study, see docs/multiverse.md
# make replication ...   run the multiverse and write docs/replication.md
# make bench-retrieval   compare the speed of retrieval with other software, see docs/retrieval.md
# make bench-rouge   compare the speed of ROUGE with other software, see docs/rouge.md
# make evaluate-contexts TAC2014=folder   compare citation_context with human annotators, see docs/summarizers.md
# make evaluate-recognition LITE3PYRAMID=folder   compare the recognition of nuggets with human judgements, see docs/recognition.md;
#                 EVALUATION=folder for the tables as TSV, STUDY=results/tac2014 for that study's base rates
# make bench-summarizers   compare the speed of the summarizers with sumy's
# make docs        write docs/configuration.md from the schema of the settings
# make lint        run ruff, snakefmt, the linter of Snakemake, and mypy
# make env         create the environment only: .venv/bin/sera and .venv/bin/snakemake
# Settings: BENCHMARK (a name or the path of your own folder), TAC2014, PYRAMIDS, PMC_OA, REALSUMM, NIST, RESULTS, CORES;
# SETTINGS='{"mu": 100}' for all others. See docs/configuration.md.
# PROFILE=profiles/slurm   runs the study on a cluster, see docs/cluster.md

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
OWN := BENCHMARK:benchmark TAC2014:tac2014 PYRAMIDS:pyramids PMC_OA:pmc_oa REALSUMM:realsumm NIST:nist RESULTS:results
VARIABLES := $(foreach pair,$(OWN),$(firstword $(subst :, ,$(pair)))) SETTINGS PROFILE CORES GROUPS
$(foreach name,$(VARIABLES),$(if $(findstring $(LINE_BREAK),$(value $(name))),$(error $(name) has a line break in it)))
unexport $(VARIABLES)
# a value as one word of the shell
quoted = '$(subst ','\'',$(value $(1)))'
# $(call exported,VARIABLE,NAME): pass a make variable, if it is set, as an environment variable
define exported
ifneq ($$(origin $(1)),undefined)
export $(2) = $$(value $(1))
endif
endef
$(foreach pair,$(OWN),\
	$(eval $(call exported,$(word 1,$(subst :, ,$(pair))),SERA_SETTING_$(word 2,$(subst :, ,$(pair))))))
$(eval $(call exported,SETTINGS,SERA_SETTINGS))
export SERA_PROFILE = $(value PROFILE)
export SERA_CORES = $(value CORES)
export SERA_GROUPS = $(value GROUPS)
HOW := $(if $(value PROFILE),--workflow-profile="$$SERA_PROFILE",--cores="$$SERA_CORES")

.PHONY: reproduce report expected pictures fidelity download audit multiverse replication env docs lint test test-quick fuzz test-elasticsearch test-slurm bench-retrieval bench-rouge \
	bench-summarizers evaluate-contexts evaluate-recognition lock

reproduce: .venv/ready
	.venv/bin/snakemake $(HOW)
	@.venv/bin/sera study show

report: reproduce
	@results="$$(.venv/bin/sera study folder --all)"; \
		.venv/bin/snakemake --quiet all --report="$$results/snakemake.html"; \
		echo "Snakemake's own report: $$results/snakemake.html"

expected: .venv/ready
	@.venv/bin/sera study expected

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

env: .venv/ready

docs: .venv/ready
	.venv/bin/python -m schemas.describe

lint: .venv/ready-test
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/snakefmt --check Snakefile rules
	.venv/bin/snakemake --lint
	.venv/bin/mypy

# `|| true`, because the page lists failed tests too
fidelity: .venv/ready-test
	.venv/bin/pytest -n "$$SERA_CORES" --dist loadgroup --fidelity build/fidelity.jsonl $(PYTEST) || true
	.venv/bin/python tests/fidelity.py build/fidelity.jsonl docs/fidelity.md

# the README's picture, from the latest results
pictures: .venv/ready
	.venv/bin/sera study pictures

test: .venv/ready-test
	tests/install_browser.sh
	tests/install_axe.sh
	.venv/bin/pytest -n "$$SERA_CORES" --dist loadgroup --ignore tests/originals/test_elasticsearch.py \
		--ignore tests/workflow/test_slurm.py $(PYTEST)

# test_properties.py runs commands on damaged files, as `make fuzz` does
test-quick: .venv/ready-test
	.venv/bin/pytest -n "$$SERA_CORES" --dist loadgroup -m "not slow" --ignore tests/unit/test_properties.py tests/unit $(PYTEST)

fuzz: .venv/ready-test
	.venv/bin/python tests/fuzz.py run --seconds $(or $(SECONDS),600) --seed $(or $(SEED),0) --cores $(CORES)

test-elasticsearch: .venv/ready-test
	.venv/bin/pytest tests/originals/test_elasticsearch.py $(PYTEST)

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

bench-rouge: .venv/ready .venv-bench/ready
	.venv/bin/python bench/rouge.py --peers .venv-bench/bin/python \
		$(if $(BENCH_SECONDS),--seconds $(call quoted,BENCH_SECONDS)) $(if $(SERA_SHARED),--shared $(call quoted,SERA_SHARED))

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

.venv/ready: envs/requirements.lock pyproject.toml
	envs/make_env.sh "$(PYTHON)" $<
	touch $@

.venv/ready-test: envs/requirements-test.lock pyproject.toml .venv/ready
	envs/make_env.sh "$(PYTHON)" $<
	touch $@

# Resolve the versions again; needs uv.
lock:
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --quiet \
		--output-file envs/requirements.lock
	uv pip compile pyproject.toml --extra test --universal --python-version 3.11 --generate-hashes --no-header --quiet \
		--constraint envs/requirements.lock --output-file envs/requirements-test.lock
	$(PYTHON) envs/conda.py
