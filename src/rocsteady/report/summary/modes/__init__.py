"""Every way to read many curves as one, at all positions of the slider."""
