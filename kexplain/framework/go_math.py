"""Go's arithmetic where Python's differs."""

import math


def truncated_div(numerator: int, denominator: int) -> int:
    """Integer division that rounds towards zero, as Go's does."""
    quotient = abs(numerator) // abs(denominator)
    return quotient if (numerator < 0) == (denominator < 0) else -quotient


def round_half_away(value: float) -> int:
    """The nearest integer, halves away from zero, as `math.Round` does (Python's rounds them to even)."""
    whole = math.trunc(value)
    return whole + int(math.copysign(1, value)) if abs(value - whole) >= 0.5 else whole


def log(value: int) -> float:
    """The natural logarithm as Go computes it, which is FreeBSD's: the platform's may differ in the last bit."""
    fraction, exponent = math.frexp(float(value))
    if fraction < math.sqrt(2) / 2:
        fraction *= 2
        exponent -= 1
    f = fraction - 1
    s = f / (2 + f)
    s2 = s * s
    s4 = s2 * s2
    t1 = s2 * (
        6.666666666666735130e-01
        + s4 * (2.857142874366239149e-01 + s4 * (1.818357216161805012e-01 + s4 * 1.479819860511658591e-01))
    )
    t2 = s4 * (3.999999999940941908e-01 + s4 * (2.222219843214978396e-01 + s4 * 1.531383769920937332e-01))
    r = t1 + t2
    half_square = 0.5 * f * f
    k = float(exponent)
    return k * 6.93147180369123816490e-01 - (
        (half_square - (s * (half_square + r) + k * 1.90821492927058770002e-10)) - f
    )
