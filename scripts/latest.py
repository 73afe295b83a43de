"""Which study a command line means: the settings of config.yaml, and those that overrule them.

Usage: latest.py prints the folder of the results.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rules.checks import name_of, of_environment, read_settings  # noqa: E402
from sera.errors import InputError  # noqa: E402


def latest() -> tuple[dict[str, Any], str, Path]:
    """The settings, the study's name, and the folder of its results.

    Settings are those of the environment, as the Makefile passes them, and of arguments such as
    ``benchmark=demo``.
    """
    try:
        settings = read_settings(ROOT / "config.yaml") | of_environment(os.environ)
        settings |= dict(argument.split("=", 1) for argument in sys.argv[1:] if "=" in argument)
        name = name_of(settings)
    except InputError as error:
        sys.exit(str(error))
    return settings, name, Path(settings["results"], name)


if __name__ == "__main__":
    print(latest()[2].parent)
