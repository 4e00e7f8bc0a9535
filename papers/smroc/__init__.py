"""The experiments of Klement, Flach, Japkowicz and Matwin: Smooth ROC curves."""
