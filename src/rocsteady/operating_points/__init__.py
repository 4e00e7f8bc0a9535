"""Operating points: chosen, averaged over folds, told apart, tried on new rows."""
