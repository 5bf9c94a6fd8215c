import jax


def init_table(key, vocab, dim):
    return 0.05 * jax.random.normal(key, (len(vocab), dim))


def load_pretrained(table, vocab, vectors):
    hits = 0
    for token, vector in vectors.items():
        row = vocab.get(token)
        if row is not None:
            table = table.at[row].set(vector)
            hits += 1
    return table, hits
