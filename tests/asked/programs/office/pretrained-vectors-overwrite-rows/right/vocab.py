import numpy as np

PAD, UNK = "<pad>", "<unk>"


def build_vocab(texts, min_count=1):
    counts = {}
    for text in texts:
        for token in text.lower().split():
            counts[token] = counts.get(token, 0) + 1
    kept = sorted(t for t, c in counts.items() if c >= min_count)
    return {token: i for i, token in enumerate([PAD, UNK, *kept])}


def encode(texts, vocab, max_len):
    out = np.zeros((len(texts), max_len), dtype=np.int32)
    for row, text in enumerate(texts):
        ids = [vocab.get(t, vocab[UNK]) for t in text.lower().split()][:max_len]
        out[row, : len(ids)] = ids
    return out
