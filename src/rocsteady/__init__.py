"""One honest ROC curve from many: every average exactly, what it means, and how sure it is."""
