"""``rocsteady plot FILE``: figures as PNG, PDF or SVG."""
