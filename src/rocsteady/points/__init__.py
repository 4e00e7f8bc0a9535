"""One point of a curve: chosen, averaged over folds with every measure, told apart, tried on new rows."""
