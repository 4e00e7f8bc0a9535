"""Ten runs of cross-validation on every set: the files, one run, the cache, the processes."""
