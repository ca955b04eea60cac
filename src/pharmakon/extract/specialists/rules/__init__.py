"""What a sentence tells a prescriber to do about the patients it names, and whether it says so of this drug at all."""
