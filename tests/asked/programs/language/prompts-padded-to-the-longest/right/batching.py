"""Turn lists of token ids into arrays."""
import numpy as np

PAD = 0
BUCKET = 32


def collate(prompts):
    width = max(len(prompt) for prompt in prompts)
    width = -(-width // BUCKET) * BUCKET
    tokens = np.full((len(prompts), width), PAD, np.int32)
    for row, prompt in zip(tokens, prompts):
        row[: len(prompt)] = prompt
    return tokens
