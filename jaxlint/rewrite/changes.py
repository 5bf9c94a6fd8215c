"""What may change where an unsafe fix is applied: the clauses that several fixes share."""

from __future__ import annotations

NUMBERS_DRAWN = "the numbers drawn change"
BOTH_SIDES = "both sides are computed"
SAME_FORM = "all branches must give the same shapes and dtypes"
FIXED_FORM = "shapes and dtypes must stay fixed, no reverse-mode gradient"
COMPILED_ANEW = "the function recompiles for each value"
EACH_RUN = "it runs at each execution, not at trace time"
EACH_CALL = "it runs at each call, outside compiled code"
LATE_ERROR = "the error is raised at run time"
IN_CHECKIFY = "it checks only in functions passed to `checkify`"
ARRAY = "the result is an array"
ARRAY_OF_32_BITS = f"{ARRAY}, 32-bit by default"
NO_PYTHON_VALUE = "the result is an array, not a Python value"
JAX_ARRAY = "NumPy arrays become 32-bit JAX arrays"
NAN = "the result is NaN where a side is NaN"
CLAMPED = "an index out of bounds is clamped"
CLAMPED_OF_32_BITS = f"32 bits at most, and {CLAMPED}"
FRACTION = "the fraction is truncated"
ON_HOST = "the values are copied to the host"
OTHER_TYPE = "the result has another type"
READ_ON = "later reads see the new value"
OTHER_HOLDERS = "other references keep the old values"
PASSED = "it is read at each call, and callers have to pass it"
ONE_RESULT_MORE = "unseen callers get one more result"
LIFTED = "parameters, state and keys pass through it"
NNX_STATE = "the module state is passed in and out"
TYPED_KEY = "right where it is always a typed key"
PRINTED = "non-arrays may print differently"
GUESSED = "the intent is a guess"
DIFFERS = "details may differ from the old API"


def new_each_time(key: str) -> str:
    return f"right where `{key}` is new in each call"


def always_array(name: str) -> str:
    return f"right where `{name}` is always a JAX array"
