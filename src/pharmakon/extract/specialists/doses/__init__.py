"""Amounts of drug, and which of them bound a dose: for whom, by which route, for what, and which bound nothing."""
