"""Rows of a value as a table for a paper, a page or a terminal: rows, cells, formats, each in its file."""

from __future__ import annotations

from rocsteady.report.tables.making import html_table, table

__all__ = ["html_table", "table"]
