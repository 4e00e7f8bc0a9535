"""The results of the source papers, computed again and checked; one folder for each paper."""
