"""The abstract domain: values, state, contexts, origins, dtypes and dimensions."""
