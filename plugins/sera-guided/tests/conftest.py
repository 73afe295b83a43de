"""The helpers and fixtures of the repository's tests, which these tests use too."""

from tests.conftest import *  # noqa: F403
from tests.conftest import _where_the_workers_share  # noqa: F401

for _hook in [name for name in globals() if name.startswith("pytest_")]:
    del globals()[_hook]  # tests/conftest.py has registered its own where both run
