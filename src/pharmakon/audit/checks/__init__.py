"""One file per risk; the list below is the order of a report's `checked` table."""
