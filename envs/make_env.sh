#!/usr/bin/env bash
# Create .venv with the packages of a lock file, each verified by its hash, and with this package and its compiled
# loops.
# Usage: envs/make_env.sh PYTHON LOCKFILE
set -euo pipefail
python=$1 lock=$2

if ! command -v "$python" > /dev/null; then
  echo "There is no program '$python'. Name a Python 3.11 or newer: make env PYTHON=python3.12. On a cluster, load its module first." >&2
  exit 2
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "Python 3.11 or newer is needed; '$python' is $("$python" --version 2>&1). Name another: make env PYTHON=python3.12" >&2
  exit 2
fi
if command -v uv > /dev/null; then
  [ -x .venv/bin/python ] || uv venv --quiet --python "$python" .venv
  uv pip install --python .venv/bin/python --require-hashes --requirement "$lock"
  uv pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation --editable .
else
  # an environment that uv made has no pip
  .venv/bin/python -m pip --version > /dev/null 2>&1 || "$python" -m venv .venv
  .venv/bin/python -m pip install --disable-pip-version-check --quiet --require-hashes --requirement "$lock"
  .venv/bin/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation --editable .
fi
.venv/bin/python envs/compile.py
