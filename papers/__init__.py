"""The results of the source papers, computed again and checked; one folder for each paper.

They use the package and are no part of it: ``python -m papers --help``, in the folder that holds this one.
"""
