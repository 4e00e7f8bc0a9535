"""The pictures that move with the slider: curves, densities, a strip for every group."""
