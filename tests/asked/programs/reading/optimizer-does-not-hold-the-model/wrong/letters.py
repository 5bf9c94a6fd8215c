"""Names as numbers."""

import numpy as np

NAMES = ["anna", "hanna", "johanna", "marianne", "anton", "antonia", "marion", "maria", "johann"]
LETTERS = 27
CONTEXT = 3


def encode(name):
    return [0] * CONTEXT + [ord(letter) - ord("a") + 1 for letter in name] + [0]


def examples():
    """Three letters and the next one."""
    context, target = [], []
    for name in NAMES:
        code = encode(name)
        for place in range(CONTEXT, len(code)):
            context.append(code[place - CONTEXT : place])
            target.append(code[place])
    return np.array(context), np.array(target)
