"""What the runs say: means and spreads, the tests that the paper left out, the same from Weka's scores."""
