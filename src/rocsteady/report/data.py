"""What a score set holds: :mod:`rocsteady.advice.check`."""

from rocsteady.advice.check import FEW_CASES, DataSummary, Finding, ModelData, check

summarize_data = check
__all__ = ["FEW_CASES", "DataSummary", "Finding", "ModelData", "check", "summarize_data"]
