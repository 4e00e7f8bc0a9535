"""Figures: each a description of what a value already holds, drawn by Matplotlib and as SVG."""
