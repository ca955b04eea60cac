"""Frozen values and the vocabulary. Imports nothing of ours; everything else imports this."""
