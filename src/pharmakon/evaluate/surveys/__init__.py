"""Suites that are no cases of violation and near miss: drug names, pairs of drugs, hospital stays."""
