"""The profiles agree with each other and with the rules, and the page on clusters with them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml
from checkouts import counted, ran
from conftest import ROOT

DEFAULT, SLURM = (
    yaml.safe_load((ROOT / "profiles" / name / "config.yaml").read_text()) for name in ("default", "slurm")
)
MAIN = ROOT / "profiles" / "slurm" / "main.sh"
PAGE = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")


def test_what_holds_on_one_machine_holds_on_a_cluster():
    """Snakemake reads one of them, so what makes reruns exact has to be in both."""
    assert DEFAULT.items() <= SLURM.items()


def test_the_default_profile_leaves_the_cores_to_the_user(unrun, tmp_path):
    (tmp_path / "config.yaml").write_text("cores: 7\n")
    line = [Path(sys.executable).with_name("snakemake"), "--profile", tmp_path, "audit"]
    run = subprocess.run(line, cwd=unrun, capture_output=True, text=True)
    assert "Provided cores: 7\n" in run.stderr, run.stderr


# The jobs of one study: the packages of its articles share one.
ALONE = ["demo_summaries", "demo_tables", "learn_vectors", "merge_index", "package", "search"]
BLOCKS = {"compute_universes": 9, "permute_universes": 4}  # each a job of its own


def submitted(study: Path, *arguments: str) -> Counter[str]:
    """The jobs that a run by the profile would submit, by their group or rule."""
    run = ran(study, "--workflow-profile", "profiles/slurm", "--forceall", "--dry-run", *arguments)
    said = run.stdout + run.stderr
    assert counted(run).keys() == set(re.findall(r"^ *rule (\w+):", said, re.M)) - {"all"}
    jobs = re.findall(r"^(?:\[.*\] Group job|rule) (\w+)", said, re.M)
    return Counter(name for name in jobs if not name.endswith(LOCAL))


LOCAL = ("gather_summaries", "gather_search", "list_unreadable", "multiverse", "all")


@pytest.mark.parametrize(
    ("arguments", "further"),
    [
        ((), []),
        # a further study has its own tables, side by side with the first's, in a group of its own
        (("studies={a: {mu: 100}}",), ["a_summaries", "a_search", "a_tables"]),
        # what comes back into a group from outside would stop the plan
        (("language_models={m: x}",), ["ask_language_model"]),
        (("systems=[bart]", "guided={python: python3, folds: 2, seeds: 1, gpus: 0}"),
         ["train_guided", "train_guided", "generate_guided"]),
        (("spectrum={fitness: ROUGE-1-F}",), []),
    ],
)  # fmt: skip
def test_short_jobs_of_a_study_share_one(unrun, arguments, further):
    assert submitted(unrun, "--config", "seed=1", *arguments) == Counter([*ALONE, *further])


def test_the_studies_of_a_prefixed_module_share_jobs_too(unrun, tmp_path):
    (tmp_path / "Snakefile").write_text(
        f"module sera:\n    snakefile: '{unrun}/Snakefile'\n    config: {{'results': 'mine'}}\n"
        "use rule * from sera as sera_*\n"
    )
    profile = unrun / "profiles/slurm"
    run = ran(tmp_path, "--workflow-profile", str(profile), "--dry-run", "sera_study")
    assert (run.stdout + run.stderr).count("] Group job ") == 3


def test_the_parts_of_the_multiverse_run_side_by_side(unrun):
    jobs = submitted(unrun, "multiverse")
    assert jobs.items() >= BLOCKS.items() and jobs["universes_answers"] == jobs["package"] == 1


def test_a_package_asks_for_the_time_that_its_articles_take(unrun, tmp_path):
    """Measured: 3.3 seconds for a thousand articles, 0.7 in the index. Requested: three times that."""
    (tmp_path / "pmc").mkdir()
    (tmp_path / "pmc/part.tar.gz").touch()
    rows = [f"PMC{number}.xml,PMC{number},no" for number in range(60_000)]
    lines = ["Article File,AccessionID,Retracted", *rows, ""]
    (tmp_path / "pmc/part.filelist.csv").write_text("\n".join(lines))
    (tmp_path / "own").mkdir()
    for kind, own in (
        ("sources", {"id": "a"}),
        ("references", {"annotator": "A"}),
        ("candidates", {"system": "s"}),
    ):
        record = {"topic": "t", "sentences": ["A cell."], **own}
        (tmp_path / f"own/{kind}.jsonl").write_text(json.dumps(record) + "\n")
    settings = (f"benchmark={tmp_path}/own", f"pmc_oa={tmp_path}/pmc")
    run = ran(unrun, "--dry-run", "--config", *settings)
    blocks = re.split(r"^ *rule ", run.stdout + run.stderr, flags=re.M)
    runtimes = {block.partition(":")[0]: re.findall(r"runtime=(\d+)", block) for block in blocks}
    assert runtimes["extract_corpus"] == ["12"] and runtimes["merge_index"] == ["2"]
    assert runtimes["build_index_part"] == ["5"]


def test_the_pages_script_says_what_pbs_knows_in_snakemakes_words(tmp_path):
    (script,) = re.findall(r"^```sh\n(#!/bin/sh\n.*?)^```", PAGE, re.M | re.S)
    qstat = tmp_path / "qstat"
    qstat.write_text('#!/bin/sh\necho "Job Id: $3"\nprintf "    $STATE"\n')
    qstat.chmod(0o755)
    for state, word in [
        ("job_state = Q", "running"),
        ("job_state = R", "running"),
        (r"job_state = F\n    Exit_status = 0", "success"),
        (r"job_state = F\n    Exit_status = 271", "failed"),
    ]:
        environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "STATE": state}
        run = subprocess.run(
            ["sh", "-c", script, "status", "7"], env=environment, capture_output=True, text=True
        )
        assert run.stdout == word + "\n", run.stderr


def test_a_main_process_that_has_to_stop_interrupts_its_command_and_waits_for_it(tmp_path):
    """Bash lets a command in the background ignore SIGINT, with which Snakemake would not cancel its jobs."""
    (tmp_path / "Snakefile").touch()
    code = (
        "import time\ntry: print('started', flush=True); time.sleep(60)\n"
        "except KeyboardInterrupt: time.sleep(1); print('cancelled'); raise SystemExit(130)"
    )
    main = subprocess.Popen(
        [str(MAIN), "sh", "-c", f'{sys.executable} -c "{code}"; exit $?'],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert main.stdout.readline() == "started\n"
    main.send_signal(signal.SIGTERM)
    printed, said = main.communicate(timeout=30)
    assert (main.returncode, printed) == (130, "cancelled\n")
    assert said.splitlines()[0] == "The time is over, or the job was cancelled: Snakemake cancels its jobs."
    assert said.splitlines()[-1].startswith("The run is not complete. Submit the same command again")
