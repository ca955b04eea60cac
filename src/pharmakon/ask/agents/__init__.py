"""The ways to answer, one a file; each takes a question with its links and gives a draft with evidence."""
