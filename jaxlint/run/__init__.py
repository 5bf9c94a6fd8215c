"""A run over many files: the pipeline of one file, workers, the cache, clusters and shards."""
