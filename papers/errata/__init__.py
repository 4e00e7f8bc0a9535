"""What the papers print that should be read otherwise, each with its proof or a counter-example."""
