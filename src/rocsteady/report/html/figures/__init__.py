"""Pictures of the page, as SVG: each says what it shows, and stands beside a table of the same numbers."""
