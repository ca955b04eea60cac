"""What a language model alone makes of the same labels: the two baselines of PharmGraph-Auditor (section 3.1.1, PG-4).

Zero-shot (GraphRAG's way): the label in chunks, any subject-verb-object triples, no schema. One-shot (AutoKG's way):
the whole label, our schema and one example. Both are counted as our extractor is, on the same labels.
"""
