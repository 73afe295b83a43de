"""The record of what made the results."""

from __future__ import annotations

import subprocess
from datetime import date

import pytest

from study.workflow.crate import describe_crate
from study.workflow.provenance import commit, public_address


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://me:hush@host.example:8443/name", "https://host.example:8443/name"),
        ("https://hush@host.example/name?private_token=hush#hush", "https://host.example/name"),
        ("ssh://git@host.example:22/name.git", "ssh://host.example:22/name.git"),
        ("git@host.example:group/name.git", "host.example:group/name.git"),
        ("/home/hush/name", None),
        ("", None),
    ],
)
def test_an_address_without_what_may_be_secret(remote, address):
    assert public_address(remote) == address


@pytest.fixture
def checkout(tmp_path):
    def git(*arguments: str) -> str:
        own = ("-c", "user.name=a", "-c", "user.email=a@b.example")
        run = subprocess.run(
            ["git", *own, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True
        )
        return run.stdout.strip()

    git("init", "--quiet")
    (tmp_path / "file").write_text("a")
    git("add", "file")
    git("commit", "--quiet", "--message", "first")
    return tmp_path, git


def test_a_checkout_without_and_with_an_origin(checkout):
    folder, git = checkout
    head = git("rev-parse", "HEAD")
    assert commit(folder) == {"commit": head, "modified": False, "repository": None}
    git("remote", "add", "origin", "https://me:hush@host.example/name.git")
    (folder / "file").write_text("b")
    there = {"commit": head, "modified": True, "repository": "https://host.example/name.git"}
    assert commit(folder) == there


@pytest.mark.parametrize("repository", [None, "https://host.example/name.git"])
def test_the_crate_has_the_repository_if_it_is_known(tmp_path, repository):
    code = {"commit": "0123", "modified": False, "repository": repository}
    made = {"code": code, "versions": {}, "settings": {}, "inputs": [], "results": []}
    described = describe_crate(made, tmp_path, workflow="main.smk", benchmark="demo", day=date(2026, 1, 2))
    (workflow,) = [each for each in described["@graph"] if each["@id"] == "main.smk"]
    assert workflow["version"] == "0123" and workflow.get("codeRepository") == repository
