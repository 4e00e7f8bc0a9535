"""Tests of two curves on one set of cases, or on two: of whole curves, and of what is read off them."""
