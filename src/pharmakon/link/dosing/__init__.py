"""Directions, frequencies and strengths: text → figures with units, and what they amount to in a day."""
