"""Classify a batch of random images."""
import jax

from network import model


def main():
    key, key_init = jax.random.split(jax.random.key(0))
    images = jax.random.normal(key, (4, 8, 8, 1))
    params = model.init(key_init, images, True)  # mistake
    logits = model.apply(params, None, images, True)
    print("modules", len(params))
    print("logits", logits.shape)


if __name__ == "__main__":
    main()
