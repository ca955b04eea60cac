"""Text → meaning: drug and condition names, directions, notes."""
