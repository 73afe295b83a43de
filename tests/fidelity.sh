#!/usr/bin/env bash
# Run the tests that compare with an original, and write the tables of tests/originals/README.md, which list failed tests too.
cd "$(dirname "$0")/.."
.venv/bin/pytest -n 2 --dist loadfile --fidelity build/fidelity.jsonl "$@" || true
.venv/bin/python tests/fidelity.py build/fidelity.jsonl tests/originals/README.md
