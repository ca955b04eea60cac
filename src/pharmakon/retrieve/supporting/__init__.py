"""The parts of the support check: what a sentence says, and the rules that compare two of them."""
