"""The audit as a target of the workflow."""

from __future__ import annotations

import pandas as pd
