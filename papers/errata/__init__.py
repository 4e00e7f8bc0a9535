"""What the papers print that should be read otherwise, each with its proof or a counter-example."""

from papers.errata.collection import errata, erratum

__all__ = ["errata", "erratum"]
