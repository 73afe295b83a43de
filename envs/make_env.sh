#!/usr/bin/env bash
# Create .venv, or another folder, with the packages of a lock file, each verified by its hash, and with this package and
# its compiled loops. uv, whose version envs/uv.lock pins, installs the packages; pip does if uv cannot reach them.
# Usage: envs/make_env.sh PYTHON LOCKFILE [FOLDER [PLUGIN]], with the folder of a plug-in to install too
set -euo pipefail
python=$1 lock=$2 venv=${3:-.venv} plugin=${4:-}

if ! command -v "$python" > /dev/null; then
  echo "There is no program '$python'. Name a Python 3.11 or newer: make env PYTHON=python3.12. On a cluster, load its module first." >&2
  exit 2
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "Python 3.11 or newer is needed; '$python' is $("$python" --version 2>&1). Name another: make env PYTHON=python3.12" >&2
  exit 2
fi

if ! "$venv/bin/python" -m pip --version > /dev/null 2>&1; then
  echo "Creating $venv"
  "$python" -m venv "$venv"
fi
pip=("$venv/bin/python" -m pip install --disable-pip-version-check --progress-bar off)
echo "Installing the packages of $lock into $venv, about half a minute"
if ! { "${pip[@]}" --quiet --require-hashes --requirement envs/uv.lock \
  && "$venv/bin/uv" pip install --python "$venv/bin/python" --require-hashes --requirement "$lock"; }; then
  echo "uv could not install them. Trying pip, one to two minutes"
  # breadability asks for an extra of lxml that is now a package of its own, which the lock file has
  "${pip[@]}" --quiet --require-hashes --requirement "$lock" 2> >(grep -v "does not provide the extra 'html_clean'" >&2)
fi
"${pip[@]}" --quiet --no-deps --no-build-isolation --editable . ${plugin:+--editable "$plugin"}
echo "Compiling modules and loops, some fifteen seconds"
"$venv/bin/python" -m compileall -q sera study plugins/sera-guided/sera_guided
PYTHONDONTWRITEBYTECODE="" "$venv/bin/python" envs/compile.py
echo "Ready: $venv/bin/sera and $venv/bin/snakemake"
