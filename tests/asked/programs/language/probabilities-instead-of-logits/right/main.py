"""Write nonsense with the letter pairs of a text."""
import jax
import jax.numpy as jnp

from sampling import chain, transition

TEXT = "abcabcabcabdabcabcabc"


def main():
    alphabet = sorted(set(TEXT))
    probabilities = transition(TEXT, alphabet)
    states = chain(jax.random.key(0), probabilities, jnp.int32(0))
    text = "".join(alphabet[int(s)] for s in states)
    seen = {a + b for a, b in zip(TEXT, TEXT[1:])}
    print("pairs that the text never has:", sum(a + b not in seen for a, b in zip(text, text[1:])))


if __name__ == "__main__":
    main()
