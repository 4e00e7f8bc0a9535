"""Sakellaropoulos's slides on ROC curves, reproduced: SPSS's tables, ten cases, two models that cross."""
