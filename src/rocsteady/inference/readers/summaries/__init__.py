"""One modality by itself: the mean of its readers, and how sure it is."""
