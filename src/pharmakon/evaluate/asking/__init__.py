"""Suites about questions: what is found, what is cited, and what is left unanswered."""
