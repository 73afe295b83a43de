#!/usr/bin/env bash
# Resolve the versions of all dependencies again; needs uv.
set -euo pipefail
cd "$(dirname "$0")/.."
export UV_CONSTRAINT=envs/constraints.txt
lock() {
  local name=$1
  shift
  uv pip compile pyproject.toml "$@" --extra all --universal --python-version 3.11 --generate-hashes --no-header --quiet \
    --output-file "envs/$name"
}
lock requirements.lock
lock requirements-test.lock --extra test --extra spacy --constraint envs/requirements.lock
lock requirements-guided.lock plugins/sera-guided/pyproject.toml plugins/sera-guided/tests/requirements.txt --no-emit-package sera-reproduction --extra test --constraint envs/requirements.lock
uv pip compile pyproject.toml --extra neural --universal --python-version 3.11 --generate-hashes --no-header --quiet \
  --constraint envs/requirements.lock --output-file envs/requirements-neural.lock
echo uv | uv pip compile - --universal --python-version 3.11 --generate-hashes --no-header --quiet --output-file envs/uv.lock
# the same versions without what only tests need
uv pip compile pyproject.toml plugins/sera-guided/pyproject.toml --extra all --universal --python-version 3.11 --no-header --quiet \
  --no-emit-package sera-reproduction --constraint envs/requirements-guided.lock | python3 envs/conda.py
