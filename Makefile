# make reproduce   the whole study, on the synthetic demo benchmark
# make report      the same with audit and multiverse, shown in results/<benchmark>/report.html, see docs/report.md
# make expected    keep Table 2 of the latest results as what is expected of its benchmark
# make pictures    the README's picture, from the latest results
# make fidelity    docs/fidelity.md: what was checked against which original, from the tests' own output
# make test        the tests
# make fuzz SECONDS=600 SEED=0   damaged files and odd options, for as long as that; finds are in build/fuzz
# make test-elasticsearch   those of the Elasticsearch engine, on a server of their own; needs Java and Maven
# make test-slurm  the study on a SLURM on loopback; installs Debian's packages of it if it is root
# make download PMC_OA=folder [GROUPS=oa_comm,...]   PubMed Central's packages; goes on where it was
# make audit       over how many systems the published rank correlations can have been taken, see docs/audit.md
# make multiverse  every defensible way to redo the study, and what they answer, see docs/multiverse.md
# make replication ...   the same, and docs/replication.md made of it
# make bench-retrieval   the speed of retrieval beside its peers, see docs/retrieval.md
# make bench-rouge   the speed of ROUGE beside its peers, see docs/rouge.md
# make evaluate-contexts TAC2014=folder   citation_context beside its annotators, see docs/summarizers.md
# make bench-summarizers   the speed of the summarizers beside sumy's
# make docs        docs/configuration.md, from the schema of the settings
# make lint        what the code's checkers say: ruff, snakefmt, mypy
# make env         the environment alone: .venv/bin/sera and .venv/bin/snakemake
# Settings: BENCHMARK (a name or the path of a folder of your own), TAC2014, PYRAMIDS, PMC_OA, REALSUMM, NIST, RESULTS, CORES; see docs/configuration.md.
# PROFILE=profiles/slurm   on a cluster, see docs/cluster.md

PYTHON ?= python3
CORES ?= 2
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

# a setting that is named, as an argument of snakemake; quoted, since paths may hold blanks
setting = $(if $($(1)),'$(2)=$($(1))')
SETTINGS := $(strip $(call setting,BENCHMARK,benchmark) $(call setting,TAC2014,tac2014) \
	$(call setting,PYRAMIDS,pyramids) $(call setting,PMC_OA,pmc_oa) $(call setting,REALSUMM,realsumm) $(call setting,NIST,nist) \
	$(call setting,RESULTS,results))

.PHONY: reproduce report expected pictures fidelity download audit multiverse replication env docs lint test fuzz test-elasticsearch test-slurm bench-retrieval bench-rouge \
	bench-summarizers evaluate-contexts lock

reproduce: .venv/ready
	.venv/bin/snakemake $(if $(PROFILE),--workflow-profile '$(PROFILE)',--cores $(CORES)) $(if $(SETTINGS),--config $(SETTINGS))
	@.venv/bin/python scripts/show_results.py $(SETTINGS)

# first what the page shows if it is there, then the page
report: .venv/ready
	.venv/bin/snakemake beside_the_study $(if $(PROFILE),--workflow-profile '$(PROFILE)',--cores $(CORES)) $(if $(SETTINGS),--config $(SETTINGS))
	@$(MAKE) --no-print-directory reproduce
	.venv/bin/snakemake --quiet all --report '$(or $(RESULTS),results)/snakemake.html' $(if $(SETTINGS),--config $(SETTINGS))
	@echo "Snakemake's own report: $(or $(RESULTS),results)/snakemake.html"

expected: .venv/ready
	@.venv/bin/python scripts/write_expected.py $(SETTINGS)

# forced, since the server may have new packages; benchmark=demo, since the folder may hold none yet
download: .venv/ready
	.venv/bin/snakemake --cores 1 download --forcerun download \
		--config $(SETTINGS) benchmark=demo $(if $(GROUPS),'download={groups: [$(GROUPS)]}')

# benchmark=demo, since it needs no other's data
audit: .venv/ready
	.venv/bin/snakemake --cores 1 audit --config $(call setting,RESULTS,results) benchmark=demo
	@.venv/bin/python scripts/show_audit.py $(call setting,RESULTS,results)

multiverse: .venv/ready
	.venv/bin/snakemake multiverse $(if $(PROFILE),--workflow-profile '$(PROFILE)',--cores $(CORES)) $(if $(SETTINGS),--config $(SETTINGS))
	@.venv/bin/python scripts/show_multiverse.py $(SETTINGS)

replication: multiverse
	.venv/bin/python scripts/show_multiverse.py --publish docs $(SETTINGS)

env: .venv/ready

docs: .venv/ready
	.venv/bin/python -m schemas.describe

lint: .venv/ready-test
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/snakefmt --check Snakefile rules
	.venv/bin/snakemake --lint
	.venv/bin/mypy

# the page tells of failed tests too, so it is written whatever they do
fidelity: .venv/ready-test
	.venv/bin/pytest -n $(CORES) --dist loadgroup --fidelity build/fidelity.jsonl $(PYTEST) || true
	.venv/bin/python tests/fidelity.py build/fidelity.jsonl docs/fidelity.md

# the README's picture as the latest results have it
pictures: .venv/ready
	.venv/bin/python scripts/copy_pictures.py $(SETTINGS)

test: .venv/ready-test
	tests/install_browser.sh
	.venv/bin/pytest -n $(CORES) --dist loadgroup --ignore tests/test_elasticsearch.py \
		--ignore tests/test_slurm.py $(PYTEST)

fuzz: .venv/ready-test
	.venv/bin/python tests/fuzz.py run --seconds $(or $(SECONDS),600) --seed $(or $(SEED),0) --cores $(CORES)

test-elasticsearch: .venv/ready-test
	.venv/bin/pytest tests/test_elasticsearch.py $(PYTEST)

test-slurm: .venv/ready-test
	tests/slurm_cluster/install.sh
	.venv/bin/pytest tests/test_slurm.py $(PYTEST)

# What is not given has the benchmark's own default: some 15 minutes for 20,000 documents, as much again for 100,000.
bench-retrieval: .venv/ready .venv-bench/ready
	.venv/bin/python bench/retrieval.py --peers .venv-bench/bin/python \
		$(if $(BENCH_DOCUMENTS),--documents $(BENCH_DOCUMENTS)) $(if $(BENCH_SIZES),--sizes $(BENCH_SIZES)) \
		$(if $(BENCH_WORDS),--words $(BENCH_WORDS)) $(if $(BENCH_QUERIES),--queries $(BENCH_QUERIES)) \
		$(if $(BENCH_FOLDER),--folder '$(BENCH_FOLDER)') $(if $(LUCENE_JARS),--jars '$(LUCENE_JARS)') \
		$(if $(SERA_SHARED),--shared '$(SERA_SHARED)')

bench-rouge: .venv/ready .venv-bench/ready
	.venv/bin/python bench/rouge.py --peers .venv-bench/bin/python \
		$(if $(BENCH_SECONDS),--seconds $(BENCH_SECONDS)) $(if $(SERA_SHARED),--shared '$(SERA_SHARED)')

evaluate-contexts: .venv/ready
	@.venv/bin/python bench/citation_contexts.py '$(or $(TAC2014),$(error Name the release: TAC2014=folder))'

bench-summarizers: .venv/ready
	.venv/bin/python bench/summarizers.py $(if $(BENCH_SENTENCES),--sizes $(BENCH_SENTENCES)) \
		$(if $(SERA_SHARED),--shared '$(SERA_SHARED)')

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

# Resolve the versions anew; needs uv.
lock:
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --quiet \
		--output-file envs/requirements.lock
	uv pip compile pyproject.toml --extra test --universal --python-version 3.11 --generate-hashes --no-header --quiet \
		--constraint envs/requirements.lock --output-file envs/requirements-test.lock
	$(PYTHON) envs/conda.py
