"""Whom a sentence speaks of: groups of patients, their measures and figures, and the words that narrow a disease."""
