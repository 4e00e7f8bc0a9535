"""Every measure at every operating point, with its spread over folds, and tests between points."""
