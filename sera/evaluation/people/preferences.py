"""Judges' preferences between two summaries: how often a metric agrees, and what they say of systems.

Preferences are a data frame with the columns topic, system_a, system_b, judge and preference: ``A``, ``B`` or
``tie``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.io.preferences import CHOICES, COLUMNS

SIGN_OF = dict(zip(CHOICES, (1, -1, 0), strict=True))

_DIGITS = 12


@dataclass(frozen=True)
class Agreement:
    """How often a metric agrees with preferences.

    pairs:        the preferences, ties included, between summaries that the metric scores both
    ties:         those in which the judge prefers neither
    metric_ties:  those in which the metric's scores differ by at most epsilon
    accuracy:     the share of preferences without ties in which the metric prefers the same summary; a tie
                  of the metric counts half, as a guess would
    with_ties:    the share of all preferences, ties included, in which the metric says the same
    undefined:    preferences left out, because the metric has no score for one of the two
    """

    pairs: int
    ties: int
    metric_ties: int
    accuracy: float
    with_ties: float
    undefined: int


def preference_agreement(
    preferences: pd.DataFrame, scores: pd.DataFrame, *, epsilon: float = 0.0
) -> Agreement:
    """How often a metric prefers the same summary as a judge, each judge's preference counting once.

    ``scores`` has topic, system and score, where higher is better. ``epsilon`` is in units of the metric.
    InputError as of `signs_of`, and for a summary without a row in ``scores``.
    """
    both = signs_of_both(preferences, scores, epsilon=epsilon)
    judged, said = both["judged"].to_numpy(), both["said"].to_numpy()
    apart = judged != 0
    return Agreement(
        pairs=len(judged),
        ties=int((~apart).sum()),
        metric_ties=int((said == 0).sum()),
        accuracy=float(both["right"][apart].mean()) if apart.any() else np.nan,
        with_ties=float((said == judged).mean()) if len(judged) else np.nan,
        undefined=len(preferences) - len(judged),
    )


def signs_of_both(preferences: pd.DataFrame, scores: pd.DataFrame, *, epsilon: float = 0.0) -> pd.DataFrame:
    """What judge and metric say, a row for each preference between summaries that the metric scores both.

    Columns: topic and judge; judged and said, by the judge and by the metric, as in `signs_of`; right, 1 if
    both are equal, 0 if not, and a half if the metric says a tie. InputError as of `preference_agreement`.
    """
    judged = signs_of(preferences)
    known = scores.set_index(["topic", "system"])["score"]
    sides = []
    for side in ("system_a", "system_b"):
        wanted = pd.MultiIndex.from_frame(preferences[["topic", side]])
        if not (there := wanted.isin(known.index)).all():
            topic, system = wanted[~there][0]
            raise InputError(
                f"{system} for {topic} is preferred or not, but has no score", remedy="Score it first."
            )
        sides.append(known.reindex(wanted).to_numpy(float))
    gap = np.round(sides[0] - sides[1], _DIGITS)
    defined = ~np.isnan(gap)
    gap, judged = gap[defined], judged[defined]
    said = np.where(np.abs(gap) <= epsilon, 0, np.sign(gap))
    right = np.where(said == 0, 0.5, said == judged)
    of = {name: preferences[name].to_numpy()[defined] for name in ("topic", "judge")}
    return pd.DataFrame({**of, "judged": judged, "said": said, "right": right})


def signs_of(preferences: pd.DataFrame) -> np.ndarray:
    """1 for each preference of A, -1 for B, 0 for a tie, (row,).

    InputError for a frame without the columns, for another preference, and for a system beside itself.
    """
    if missing := [name for name in COLUMNS if name not in preferences]:
        raise InputError(f"the preferences have no column {missing[0]}", remedy="Add or rename it.")
    if wrong := [value for value in preferences["preference"].unique() if value not in SIGN_OF]:
        raise InputError(
            f"a preference is {wrong[0]!r}", remedy=f"Write one of {', '.join(SIGN_OF)} in its place."
        )
    if (same := preferences["system_a"] == preferences["system_b"]).any():
        raise InputError(
            f"{preferences['system_a'][same].iloc[0]} is compared with itself", remedy="Leave it out."
        )
    return preferences["preference"].map(SIGN_OF).to_numpy(int)


@dataclass(frozen=True)
class Strengths:
    """What preferences say of systems.

    table:   system, strength (natural logarithm, mean 0 over systems), wins, losses, ties; strongest first
    ties:    Davidson's parameter of ties, 0 or more: two equal systems tie with probability ties / (2 + ties)
    """

    table: pd.DataFrame
    ties: float


def record_of_systems(preferences: pd.DataFrame) -> pd.DataFrame:
    """How often each system was preferred, was not, and tied: system, wins, losses, ties; by name.

    InputError as of `signs_of`.
    """
    signs = signs_of(preferences)
    a, b = preferences["system_a"], preferences["system_b"]
    better, worse = a.where(signs > 0, b), b.where(signs > 0, a)
    systems = sorted({*a, *b})
    counts = {
        "wins": better[signs != 0].value_counts(),
        "losses": worse[signs != 0].value_counts(),
        "ties": pd.concat([a, b])[np.tile(signs == 0, 2)].value_counts(),
    }
    rows = {name: of.reindex(systems, fill_value=0).to_numpy() for name, of in counts.items()}
    return pd.DataFrame({"system": systems, **rows})


def bradley_terry(preferences: pd.DataFrame) -> Strengths:
    """The systems' strengths by Davidson's model (1970), which is Bradley and Terry's (1952) with ties.

    A system of strength s beats one of strength t with the probability p(s) / (p(s) + p(t) + v √(p(s) p(t))),
    p the exponential, and ties with v √(p(s) p(t)) in place of p(s). All are fitted by maximum likelihood;
    judges and topics count alike. InputError as of `signs_of`, and where systems fall into two groups of
    which one never loses to the other, so that no strength is finite.
    """
    from scipy import optimize  # slow to import

    signs = signs_of(preferences)
    systems = sorted({*preferences["system_a"], *preferences["system_b"]})
    number = {name: at for at, name in enumerate(systems)}
    a, b = (preferences[side].map(number).to_numpy() for side in ("system_a", "system_b"))
    winners, losers = np.where(signs >= 0, a, b), np.where(signs >= 0, b, a)
    tied = signs == 0
    _check_connected(systems, winners, losers, tied)
    has_ties = bool(tied.any())

    def loss(parameters: np.ndarray) -> tuple[float, np.ndarray]:
        log_ties = parameters[-1] if has_ties else -np.inf
        strength = parameters[: len(systems)]
        one, other = strength[winners], strength[losers]
        between = log_ties + (one + other) / 2
        total = np.logaddexp(np.logaddexp(one, other), between)
        chosen = np.where(tied, between, one)
        p_one, p_tie = np.exp(one - total), np.exp(between - total)
        slope = np.zeros(len(parameters))
        np.add.at(slope, winners, p_one + p_tie / 2 - np.where(tied, 0.5, 1.0))
        np.add.at(slope, losers, 1 - p_one - p_tie / 2 - np.where(tied, 0.5, 0.0))
        if has_ties:
            slope[-1] = (p_tie - tied).sum()
        return float((total - chosen).sum()), slope

    start = np.zeros(len(systems) + has_ties)
    found = optimize.minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-9}).x
    strength = found[: len(systems)] - found[: len(systems)].mean()
    table = record_of_systems(preferences)
    table.insert(1, "strength", strength)
    table = table.sort_values("strength", ascending=False, kind="stable", ignore_index=True)
    return Strengths(table, float(np.exp(found[-1])) if has_ties else 0.0)


def _check_connected(systems: list[str], winners: np.ndarray, losers: np.ndarray, tied: np.ndarray) -> None:
    """InputError unless each system is above each other by some chain of wins and ties."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    above = np.concatenate([winners, losers[tied]])
    below = np.concatenate([losers, winners[tied]])
    size = len(systems)
    beaten = coo_array((np.ones(len(above)), (above, below)), shape=(size, size))
    groups, member = connected_components(beaten, directed=True, connection="strong")
    if groups > 1:
        smallest = np.argmin(np.bincount(member))
        names = ", ".join(name for name, of in zip(systems, member, strict=True) if of == smallest)
        raise InputError(
            f"{names}: always better or always worse than the other systems, so its strength is not finite",
            remedy="Leave it out, or add preferences.",
        )
