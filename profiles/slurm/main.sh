#!/usr/bin/env bash
# Run the study's main process as a SLURM job; it submits all other jobs. From the repository's folder:
#
#   sbatch profiles/slurm/main.sh make reproduce PROFILE=profiles/slurm
#
# Options before the name of this file replace those below, as in `sbatch --time=3-0 profiles/slurm/main.sh ...`;
# --account and --partition are added there. docs/cluster.md says how such a run ends and goes on.
#
#SBATCH --job-name=sera-main
#SBATCH --output=sera-main-%j.log
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1
#SBATCH --mem=1000M
#SBATCH --time=1-00:00:00
# Five minutes before the time is over, this script gets SIGTERM: enough for Snakemake to cancel its jobs.
#SBATCH --signal=B:TERM@300
# A restart by SLURM would submit jobs that the main process of a dead node has submitted, and that still run.
#SBATCH --no-requeue
set -uo pipefail

if [ $# = 0 ]; then
  echo "There is no command to run: sbatch profiles/slurm/main.sh make reproduce PROFILE=profiles/slurm" >&2
  exit 2
fi
if [ ! -f Snakefile ]; then
  echo "$PWD has no Snakefile: submit this script from the repository's folder." >&2
  exit 2
fi

# As Ctrl-C in a terminal: SIGINT to make and Snakemake together. After SIGTERM alone, Snakemake would wait for its
# jobs, and leave them behind when the time is over.
stop() {
  stopped=yes
  echo "The time is over, or the job was cancelled: Snakemake cancels its jobs." >&2
  kill -INT -- "-$!"
}
stopped=
trap stop TERM INT
set -m # the command gets a process group of its own; otherwise bash would make it ignore SIGINT
"$@" &
main=$!
wait "$main"
status=$?
while [ "$stopped" ] && kill -0 "$main" 2> /dev/null; do # a signal ends `wait` early
  wait "$main"
  status=$?
done
if [ "$stopped" ] && [ $status != 0 ]; then
  echo "The run is not complete. Submit the same command again, and it continues; before that, see that" \
    "\`squeue --me\` lists none of its jobs." >&2
fi
exit $status
