"""Every formula that a verdict uses, in plain Python: closed forms, exact sums, no random numbers.

Rates are given as counts (`passed` of `n`), never as floats. An interval states its z; z = 1.96 is 95 % two-sided, and
as a lower bound alone 97.5 % one-sided. Decisions against a threshold go through exact rational arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist
from typing import Literal

Interval = tuple[float, float]
Sided = Literal["one", "two"]

Z = 1.96
"""The z of seed 002's script, a literal there: 95 % two-sided."""

_BISECTIONS = 200


def z_value(confidence: float, sided: Sided = "two") -> float:
    """The normal quantile of a confidence in (0, 1). Source: NormalDist of the standard library (Wichura's AS 241)."""
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not {confidence}")
    tail = (1 - confidence) / (2 if sided == "two" else 1)
    return NormalDist().inv_cdf(1 - tail)


def _counts(passed: int, n: int) -> None:
    if not 0 <= passed <= n:
        raise ValueError(f"{passed} of {n} is not a count of passes")


def wilson(passed: int, n: int, z: float = Z) -> Interval:
    """Wilson's score interval of passed/n, both ends in [0, 1]; (0, 1) for n = 0.

    Source: Wilson 1927; the form of Brown, Cai, DasGupta 2001 (equation 4). The ends at 0 of n and n of n are exact.
    """
    _counts(passed, n)
    if n == 0:
        return 0.0, 1.0
    rate = passed / n
    scale = 1 + z**2 / n
    centre = rate + z**2 / (2 * n)
    margin = z * math.sqrt((rate * (1 - rate) + z**2 / (4 * n)) / n)
    lower = 0.0 if passed == 0 else max(0.0, (centre - margin) / scale)
    upper = 1.0 if passed == n else min(1.0, (centre + margin) / scale)
    return lower, upper


def wilson_reaches(passed: int, n: int, threshold: Fraction, z: float = Z) -> bool:
    """Whether Wilson's lower bound is at least `threshold` (0 to 1), decided without rounding.

    Source: the bound is the smaller root t of n(p - t)^2 = z^2 t(1 - t), so it reaches the threshold where p does and
    the left side is at least the right. `z` is read as its decimal text (1.96 is 49/25). n = 0 reaches only 0,
    and nothing reaches 1 (where p = 1, 1 is the other root).
    """
    _counts(passed, n)
    if threshold <= 0:
        return True
    if n == 0 or threshold >= 1:
        return False
    distance = Fraction(passed, n) - threshold
    return distance >= 0 and n * distance**2 >= Fraction(str(z)) ** 2 * threshold * (1 - threshold)


def smallest_n(threshold: Fraction, z: float = Z) -> int | None:
    """The fewest canaries whose perfect score has a Wilson lower bound of `threshold`; None where no n has.

    Source: the lower bound of n/n is n/(n + z^2) (statistics of small samples, e.g. Wilson 1927 at p = 1).
    """
    if threshold >= 1:
        return None
    if threshold <= 0:
        return 0
    return math.ceil(Fraction(str(z)) ** 2 * threshold / (1 - threshold))


def smallest_passes(n: int, threshold: Fraction, z: float = Z) -> int | None:
    """The fewest passes of `n` whose Wilson lower bound is `threshold`; None where even n of n is too few.

    Source: the bound rises with the passes, so the first that `wilson_reaches` is found by halving.
    """
    if not wilson_reaches(n, n, threshold, z):
        return None
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if wilson_reaches(middle, n, threshold, z):
            high = middle
        else:
            low = middle + 1
    return low


def newcombe(passed_1: int, n_1: int, passed_2: int, n_2: int, z: float = Z) -> Interval:
    """Newcombe's hybrid score interval of passed_1/n_1 - passed_2/n_2, for two separate groups, in [-1, 1].

    Source: Newcombe 1998, "Interval estimation for the difference between independent proportions", method 10.
    Raises ValueError for an empty group.
    """
    if not n_1 or not n_2:
        raise ValueError("the difference of two rates needs canaries on both sides")
    rate_1, rate_2 = passed_1 / n_1, passed_2 / n_2
    (lower_1, upper_1), (lower_2, upper_2) = wilson(passed_1, n_1, z), wilson(passed_2, n_2, z)
    gap = rate_1 - rate_2
    return (
        gap - math.hypot(rate_1 - lower_1, upper_2 - rate_2),
        gap + math.hypot(upper_1 - rate_1, rate_2 - lower_2),
    )


def mcnemar(lost: int, gained: int) -> float:
    """The one-sided exact p that this many are lost if losing and gaining are equally likely.

    Source: McNemar 1947 in its exact form, the sign test: sum over i >= lost of C(m, i) / 2^m with m = lost + gained.
    """
    changed = lost + gained
    return float(Fraction(sum(math.comb(changed, i) for i in range(lost, changed + 1)), 2**changed))


def mcnemar_mid_p(lost: int, gained: int) -> float:
    """`mcnemar` less half the probability of exactly this split; less conservative at small counts.

    Source: Fagerland, Lydersen, Laake 2013, "The McNemar test for binary matched-pairs data".
    """
    changed = lost + gained
    beyond = sum(math.comb(changed, i) for i in range(lost + 1, changed + 1))
    return float(Fraction(2 * beyond + math.comb(changed, lost), 2 ** (changed + 1)))


def tango(lost: int, gained: int, n: int, z: float = Z) -> Interval:
    """Tango's score interval of the drop (lost - gained)/n over n canaries judged twice, in [-1, 1].

    Source: Tango 1998, "Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design"; the two roots of the score statistic are found by halving. Raises ValueError for n = 0.
    """
    if n < 1 or lost < 0 or gained < 0 or lost + gained > n:
        raise ValueError(f"{lost} lost and {gained} gained are not counts among {n} pairs")
    drop = (lost - gained) / n

    def score(delta: float) -> float:
        leading = 2 * n
        linear = (2 * n - lost + gained) * delta - lost - gained
        constant = -gained * delta * (1 - delta)
        root = math.sqrt(max(0.0, linear * linear - 4 * leading * constant))
        variance = n * (2 * (root - linear) / (2 * leading) + delta * (1 - delta))
        distance = lost - gained - n * delta
        if variance <= 0:
            return math.copysign(math.inf, distance) if distance else 0.0
        return distance / math.sqrt(variance)

    lower = -1.0 if gained == n else _falling_root(lambda delta: score(delta) - z, -1.0, drop)
    upper = 1.0 if lost == n else _falling_root(lambda delta: score(delta) + z, drop, 1.0)
    return lower, upper


def _falling_root(function: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _draws(n: int, passed: int, k: int) -> None:
    _counts(passed, n)
    if not 1 <= k <= n:
        raise ValueError(f"{k} draws of {n} runs are not possible")


def pass_at_k(n: int, passed: int, k: int) -> Fraction:
    """The chance that at least one of k runs drawn from n passes: capability. Raises ValueError for k > n.

    Source: Chen et al. 2021, "Evaluating large language models trained on code", equation 1.
    """
    _draws(n, passed, k)
    return 1 - Fraction(math.comb(n - passed, k), math.comb(n, k))


def pass_hat_k(n: int, passed: int, k: int) -> Fraction:
    """pass^k, the chance that all of k runs drawn from n pass: reliability. Raises ValueError for k > n.

    Source: Yao et al. 2024, "tau-bench", section 3.
    """
    _draws(n, passed, k)
    return Fraction(math.comb(passed, k), math.comb(n, k))


def majority(passed: int, failed: int, of: int) -> bool | None:
    """The strict majority of `of` seeds: True once more than half passed, False once at least half failed, else None.

    Source: the definition itself; it is decided early, and seeds that measured nothing leave it undecided.
    """
    if of < 1 or passed < 0 or failed < 0 or passed + failed > of:
        raise ValueError(f"{passed} passed and {failed} failed are not counts among {of} seeds")
    if 2 * passed > of:
        return True
    if 2 * failed >= of:
        return False
    return None
