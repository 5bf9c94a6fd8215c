import jax.numpy as jnp

PAD, UNK = 0, 1


class WordTokenizer:
    def __init__(self, corpus, max_len):
        words = sorted({w for text in corpus for w in text.lower().split()})
        self.ids = {w: i + 2 for i, w in enumerate(words)}
        self.max_len = max_len

    @property
    def vocab_size(self):
        return len(self.ids) + 2

    def __call__(self, text):
        return [self.ids.get(w, UNK) for w in text.lower().split()][: self.max_len]


def collate(tokenizer, texts):
    rows = [tokenizer(text) for text in texts]
    rows = [row + [PAD] * (tokenizer.max_len - len(row)) for row in rows]
    tokens = jnp.array(rows, dtype=jnp.int32)
    return tokens, (tokens != PAD).astype(jnp.float32)
