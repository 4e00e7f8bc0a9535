"""The report as one HTML page that works offline: it only renders what the summary and the drawing hold."""
