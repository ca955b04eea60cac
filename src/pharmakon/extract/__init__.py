"""Documents → statements, each with the quotation that supports it."""
