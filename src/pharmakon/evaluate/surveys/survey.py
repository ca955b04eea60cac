"""What every survey gives: figures, tables, and one line for each thing that did not come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: survey → its metrics, with what each one is.
MEASURES: Mapping[str, Mapping[str, str]] = {
    "names": {
        "precision": "names that were resolved, exactly or as an assumption, to all their ingredients and no other",
        "precision_exact": "the same without assumptions",
        "recall": "names of drugs that are held which were resolved rightly",
        "held": "names of drugs whose ingredients are all known to the knowledge base",
        "silent_on_none": "texts that name no drug and were not resolved to one",
    },
    "pairs": {
        "recall": "pairs with a finding on both, of those whose two drugs are held",
        "recall_deep": "the same, of those whose two drugs are covered in depth",
        "covered": "pairs whose two drugs are held",
        "quiet": "pairs of low priority that were not reported as critical, of those held",
    },
    "rules": {
        "precision": "claims that say a rule of the gold at its place, of all claims about its labels and five types",
        "recall": "rules that were claimed, of those the project has words for",
        "f1": "harmonic mean of precision and recall",
        "precision_all": "the same with the rules in it that the project has no words for",
        "recall_all": "rules that were claimed, of all",
        "f1_all": "harmonic mean of precision_all and recall_all",
        "precision_lenient": "claims of the type and about a factor of a rule at its place, whatever their values",
        "recall_lenient": "rules of which so much was claimed, of all",
        "f1_lenient": "harmonic mean of precision_lenient and recall_lenient",
        "action": "rules found whose action is the gold's",
    },
    "wards": {
        "resolved": "orders whose drug was recognised: a drug, a carrier, or a supply that is no drug",
        "critical_per_100": "distinct critical findings of a stay, per 100 orders",
        "warning_per_100": "distinct warnings of a stay, per 100 orders",
        "gaps_once": "stays and days on which no missing value was asked for twice",
        "carriers_quiet": "orders of fluids, flushes and diluents without an indication mismatch",
        "problems_found": "problems worth a warning that a reader listed from the orders alone which were found",
        "notes_found": "the same for problems worth a note",
    },
    "retrieval": {
        f"{metric}{suffix}": f"{what}, {where}" if where else what
        for suffix, where in (
            ("", ""),
            ("_titles", "documents with titles"),
            ("_typos", "one or two words misspelt"),
            ("_titles_typos", "documents with titles, one or two words misspelt"),
            ("_paraphrases", "in other words"),
            ("_titles_paraphrases", "documents with titles, in other words"),
            ("_unseen", "of documents and types of question that nothing was chosen on"),
            ("_titles_unseen", "documents with titles, of those and types that nothing was chosen on"),
            *(
                (f"{titles}_{system}", f"{', '.join(filter(None, (said, with_titles)))}")
                for titles, with_titles in (("", ""), ("_titles", "documents with titles"))
                for system, said in (
                    ("plain_vectors", "by the cosine alone"),
                    ("bm25", "by BM25 alone"),
                    ("rrf", "by equal-weight reciprocal rank fusion of both"),
                )
            ),
            ("_typos_plain_vectors", "one or two words misspelt, by the cosine alone"),
        )
        for metric, what in (
            ("hit_at_5", "questions with a passage of their answer among the first five"),
            ("hit_at_10", "questions with a passage of their answer among the first ten"),
            ("mrr", "mean of 1 / the rank of the first passage of the answer, 0 beyond the thirtieth"),
        )
    }
    | {
        "answered": "questions that are answered by a source whose best passages were taken to be about them",
        "abstained_other_subjects": "questions of other subjects for which nothing was taken to be",
        "abstained_document_taken_out": "questions for which nothing was taken to be, once their only source is gone",
        "latency_p95_ms": "95th percentile of the time from a question to its passages, its vector included",
    },
    "geriatric": {
        **{
            f"{metric}{suffix}": f"{what}{of}"
            for metric, what in (
                ("hit_at_5", "questions with a citation of the gold among the first five"),
                ("hit_at_10", "the same among the first ten"),
                ("mrr", "mean of 1 / place of the first citation of the gold"),
            )
            for suffix, of in (
                ("", ", of all that have an answer"),
                ("_simple", ", of simple facts"),
                ("_inference", ", over a class or from the other end"),
                ("_high_risk", ", of high-risk conflicts"),
                ("_no_routing", ", every question to one agent"),
                ("_no_macro", ", without communities"),
                ("_no_micro", ", without exact facts"),
                *(
                    (f"_{s}_{part}", f", {s}, {part}")
                    for s in ("simple", "inference", "high_risk")
                    for part in ("no_routing", "no_macro", "no_micro")
                ),
            )
        },
        "citation_precision": "citations that are of the gold",
        "citation_recall": "quotations of the gold that were cited",
        "citations_resolved": "citations that stand, character for character, where they say",
        "supported": "sentences that claim something and that the check of code finds supported",
        "abstention": "questions without an answer here that were not answered",
        "answered": "questions with an answer here that were answered",
        "latency_p95_ms": "milliseconds, 95th percentile",
        "latency_p95_ms_no_routing": "the same, every question to one agent",
        "latency_p95_ms_no_macro": "the same without communities",
        "latency_p95_ms_no_micro": "the same without exact facts",
    },
    "ddi": {
        "f1_gold_entities": "harmonic mean of the two below",
        "precision_gold_entities": "pairs found among the names of the gold that its annotators marked as interacting",
        "recall_gold_entities": "pairs marked as interacting that were found",
        "f1": "harmonic mean of the two below",
        "precision": "the same with the names our linker finds in the plain text",
        "recall": "the same with the names our linker finds in the plain text",
        "f1_gold_entities_all": "with the pairs whose other half, the label's own drug, the sentence leaves unsaid",
        "f1_all": "the same with our own names",
        "f1_entities": "names of the gold whose RxCUI is held, linked to the concept that bears it",
    },
}


@dataclass(frozen=True, slots=True)
class Survey:
    """`failures` have an `id` and a `line` to read; further keys are for programs. `seconds`: in the system."""

    n: int
    seconds: float
    metrics: Mapping[str, float | None]
    tables: Mapping[str, Any]
    failures: Sequence[Mapping[str, Any]]


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
