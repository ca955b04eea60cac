"""Question → cited answer: sentinel, fuzzy routing, agents, composing (FG-1 to FG-7)."""
