"""Averages of rows that were counted in cells: ordinary ones where counts are exact, else between bounds."""
