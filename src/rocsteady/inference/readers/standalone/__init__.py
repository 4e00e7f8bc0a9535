"""One system that scores each case once, against the readers."""
