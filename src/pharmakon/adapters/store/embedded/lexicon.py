"""Names and codes: `ports.knowledge.Lexicon` over one snapshot."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.model.concepts import Code, Concept, ConceptId, Name

_SQL = "lexicon.sql"
Redirects = Mapping[ConceptId, ConceptId]
_DOTTED = frozenset({"icd9", "icd10"})


def plain_code(system: str, value: str) -> str:
    """A code as it is compared: ICD codes are written with and without their dot.

    >>> plain_code("icd10", "I48.91")
    'I4891'
    """
    return value.strip().upper().replace(".", "") if system in _DOTTED else value.strip()


def by_name(
    snapshot: Snapshot, redirects: Redirects, folded: Collection[str]
) -> Mapping[str, Sequence[tuple[ConceptId, Name]]]:
    found: dict[str, dict[tuple[ConceptId, Name], None]] = {}
    for name, concept, text, lang, kind in snapshot.rows(queries(_SQL)["by_name"], folded=as_json(set(folded))):
        bearer = (redirects.get(concept, concept), Name(text, lang, kind))
        found.setdefault(name, {})[bearer] = None
    return {name: tuple(bearers) for name, bearers in found.items()}


def by_code(snapshot: Snapshot, redirects: Redirects, codes: Collection[Code]) -> Mapping[Code, Sequence[ConceptId]]:
    asked = {code: plain_code(code.system, code.value) for code in codes}
    keys = {(code.system, plain[:length]) for code, plain in asked.items() for length in range(1, len(plain) + 1)}
    exact: dict[tuple[str, str], dict[ConceptId, None]] = {}
    prefixes: dict[tuple[str, str], dict[ConceptId, None]] = {}
    for system, plain, prefix, concept in snapshot.rows(queries(_SQL)["by_code"], codes=as_json(sorted(keys))):
        for table in (exact, prefixes) if prefix else (exact,):
            table.setdefault((system, plain), {})[redirects.get(concept, concept)] = None
    found: dict[Code, Sequence[ConceptId]] = {}
    for code, plain in asked.items():
        hit = exact.get((code.system, plain)) or next(
            (p for n in range(len(plain) - 1, 0, -1) if (p := prefixes.get((code.system, plain[:n])))), None
        )
        if hit:
            found[code] = tuple(sorted(hit))
    return found


def names(snapshot: Snapshot, redirects: Redirects, kinds: Collection[str]) -> Sequence[tuple[str, ConceptId, Name]]:
    rows = snapshot.rows(queries(_SQL)["names"], kinds=as_json(set(kinds)))
    found = ((folded, redirects.get(c, c), Name(text, lang, kind)) for folded, c, text, lang, kind in rows)
    return tuple(dict.fromkeys(found))


def concepts(snapshot: Snapshot, redirects: Redirects, ids: Collection[ConceptId]) -> Mapping[ConceptId, Concept]:
    targets = {id: redirects.get(id, id) for id in ids}
    wanted = as_json(set(targets.values()))
    names_of: dict[ConceptId, list[Name]] = {}
    codes_of: dict[ConceptId, list[Code]] = {}
    for concept, text, lang, kind in snapshot.rows(queries(_SQL)["names_of"], ids=wanted):
        names_of.setdefault(concept, []).append(Name(text, lang, kind))
    for concept, system, value, prefix in snapshot.rows(queries(_SQL)["codes_of"], ids=wanted):
        codes_of.setdefault(concept, []).append(Code(system, value, bool(prefix)))
    live = {
        id: Concept(id, tuple(names_of.get(id, ())), tuple(codes_of.get(id, ())), covered)
        for id, covered in snapshot.rows(queries(_SQL)["concepts"], ids=wanted)
        if id in names_of  # one without names is left of earlier versions of a document, and nobody speaks of it
    }
    return {id: live[target] for id, target in targets.items() if target in live}
