"""From a question to what may answer it: passages, facts, communities; and whether a sentence is supported."""
