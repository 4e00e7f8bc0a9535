"""How fast rocsteady is, measured beside its peers in the same run: ``python -m benchmarks --help``."""
