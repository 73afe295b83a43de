#!/usr/bin/env bash
# Create .venv, or another folder, with the packages of a lock file, each verified by its hash, and with this package and its compiled
# loops. Prints a line for each phase, and how many packages are there, without control characters.
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

log=$(mktemp)
watcher=
trap 'rm -f "$log"; [ -z "$watcher" ] || kill "$watcher" 2> /dev/null || true' EXIT

installed() { find "$venv/lib" -maxdepth 3 -name '*.dist-info' 2> /dev/null | wc -l; }
listed=$(grep -cE '^[A-Za-z0-9._-]+(\[.*\])?==' "$lock")

# pip prints a line for each package that it fetches, and none while it installs: the folders are counted then.
watch_pip() {
  local said='' line wanted before=$1
  while sleep 3; do
    wanted=$((listed - $(grep -c '^Ignoring ' "$log" || true)))
    line="  $(grep -cE '^(Collecting|Requirement already)' "$log" || true) of $wanted packages fetched, $(($(installed) - before)) installed"
    [ "$line" = "$said" ] || echo "$line"
    said=$line
  done
}

if command -v uv > /dev/null; then
  [ -x "$venv/bin/python" ] || uv venv --quiet --python "$python" "$venv"
  echo "Installing the packages of $lock into $venv with uv, about half a minute"
  uv pip install --python "$venv/bin/python" --require-hashes --requirement "$lock"
  echo "Installing this package"
  uv pip install --quiet --python "$venv/bin/python" --no-deps --no-build-isolation --editable . ${plugin:+--editable "$plugin"}
else
  # an environment that uv made has no pip
  if ! "$venv/bin/python" -m pip --version > /dev/null 2>&1; then
    echo "Creating $venv"
    "$python" -m venv "$venv"
  fi
  pip=("$venv/bin/python" -m pip install --disable-pip-version-check --progress-bar off)
  echo "Installing the packages of $lock into $venv with pip, one to two minutes"
  before=$(installed)
  watch_pip "$before" &
  watcher=$!
  # breadability asks for an extra of lxml that is now a package of its own, which the lock file has
  "${pip[@]}" --require-hashes --requirement "$lock" > "$log" 2> >(grep -v "does not provide the extra 'html_clean'" >&2)
  kill "$watcher" && watcher=
  echo "Installing this package"
  "${pip[@]}" --quiet --no-deps --no-build-isolation --editable . ${plugin:+--editable "$plugin"}
fi
echo "Compiling its loops, some ten seconds"
"$venv/bin/python" envs/compile.py
echo "Ready: $venv/bin/sera and $venv/bin/snakemake"
