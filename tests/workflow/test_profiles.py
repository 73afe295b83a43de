"""The profiles agree with each other and with the rules, and the page on clusters with them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import yaml
from conftest import ROOT

DEFAULT, SLURM = (
    yaml.safe_load((ROOT / "profiles" / name / "config.yaml").read_text()) for name in ("default", "slurm")
)
MAIN = ROOT / "profiles" / "slurm" / "main.sh"
PAGE = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")


def test_what_holds_on_one_machine_holds_on_a_cluster():
    """Snakemake reads one of them, so what makes reruns exact has to be in both."""
    assert {name for name in DEFAULT if SLURM.get(name) != DEFAULT[name]} == {"cores"}


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
