"""Winner maps: who wins where on the operating range, over a range of costs, or of alert budgets."""
