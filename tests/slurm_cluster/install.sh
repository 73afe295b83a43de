#!/usr/bin/env bash
# Install what a SLURM on loopback consists of, where it is missing and Debian's packages can be had. Where they
# cannot, say so and leave it to the tests to skip.
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin

for program in munged slurmctld slurmd srun; do
  command -v $program > /dev/null && continue
  if [ "$(id --user)" != 0 ]; then
    echo "No SLURM is installed: only root can install it." >&2
  elif ! command -v apt-get > /dev/null; then
    echo "No SLURM is installed: there is no apt-get to install it." >&2
  else
    echo "Installing SLURM: apt-get install slurmctld slurmd slurm-client munge" >&2
    export DEBIAN_FRONTEND=noninteractive
    {
      apt-get update
      apt-get install --yes --no-install-recommends slurmctld slurmd slurm-client munge
    } > /dev/null || echo "No SLURM is installed: apt-get could not." >&2
  fi
  exit
done
