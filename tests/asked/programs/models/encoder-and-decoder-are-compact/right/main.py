"""Encode a few measurements and decode samples of the latent space."""
import jax

from autoencoder import Autoencoder


def main():
    x = jax.random.normal(jax.random.key(0), (8, 12))
    model = Autoencoder(latent=2, outputs=12)
    variables = model.init(jax.random.key(1), x)
    z = model.apply(variables, x, method=Autoencoder.encode)
    print("latent", z.shape)
    samples = model.apply(variables, z + 0.1, method=Autoencoder.decode)
    print("samples", samples.shape)


if __name__ == "__main__":
    main()
