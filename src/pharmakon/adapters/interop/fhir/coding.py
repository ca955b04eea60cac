"""CodeableConcepts and references as names with codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pharmakon.adapters.interop.codes import code
from pharmakon.adapters.interop.fhir.loose import Resource, obj, objs, words
from pharmakon.model.prescription import Text

Index = Mapping[str, Resource]
"""Resources by every name a reference may use: `Medication/m1`, a full URL, `urn:uuid:…`."""

MAX_STEPS = 5  #: references that lead to references


def concept(value: object) -> Text | None:
    """The text and codes of a CodeableConcept, a lone Coding, a CodeableReference's concept, or a string."""
    if isinstance(value, str):
        return Text(words(value)) if words(value) else None
    given = obj(value)
    if "concept" in given:
        return concept(given["concept"])
    codings = objs(given.get("coding")) or ([given] if given.get("code") and given.get("system") else [])
    codes = tuple(code(words(c.get("system")), words(c.get("code"))) for c in codings if words(c.get("code")))
    display = next((words(c.get("display")) for c in codings if words(c.get("display"))), "")
    text = words(given.get("text")) or display
    if not text and codes:
        text = f"{codes[0].system} {codes[0].value}".strip()
    return Text(text, codes) if text else None


def index_of(resources: Iterable[tuple[str, Resource]]) -> dict[str, Resource]:
    """`(full URL, resource)` pairs by type and id, and by full URL."""
    found: dict[str, Resource] = {}
    for url, resource in resources:
        kind, identity = words(resource.get("resourceType")), words(resource.get("id"))
        if identity:
            found.setdefault(f"{kind}/{identity}", resource)
        if url:
            found.setdefault(url, resource)
    return found


def follow(reference: object, holder: Resource, index: Index) -> Resource | None:
    """The resource a Reference points at: contained in `holder`, or in the index by relative or absolute URL."""
    target = words(obj(reference).get("reference"))
    if not target:
        return None
    if target.startswith("#"):
        return next((r for r in objs(holder.get("contained")) if words(r.get("id")) == target[1:]), None)
    bare = target.split("/_history/")[0]
    return index.get(bare) or index.get("/".join(bare.rsplit("/", 2)[-2:]))


def named_by(reference: object, holder: Resource, index: Index) -> Text | None:
    """What a Reference is called: the target's code, else the words of the reference itself."""
    target = follow(reference, holder, index)
    found = concept(target.get("code")) if target else None
    if found:
        return found
    given = obj(reference)
    text = (
        words(given.get("display")) or words(given.get("reference")) or words(obj(given.get("identifier")).get("value"))
    )
    return Text(text) if text else None


def medication(resource: Resource, index: Index) -> Text | None:
    """The drug of an order in any version: a concept, a reference, or R5's either of the two."""
    either = obj(resource.get("medication"))
    for written in (resource.get("medicationCodeableConcept"), either.get("concept")):
        found = concept(written) if written is not None else None
        if found:
            return found
    reference = resource.get("medicationReference") or either.get("reference") or resource.get("medication")
    if isinstance(reference, str):
        reference = {"reference": reference}
    return _medication_at(reference, resource, index, MAX_STEPS)


def _medication_at(reference: object, holder: Resource, index: Index, steps: int) -> Text | None:
    target = follow(reference, holder, index)
    if target is None or not steps:
        return named_by(reference, holder, index)
    found = concept(target.get("code"))
    if found:
        return found
    parts = []
    for row in objs(target.get("ingredient")):
        item = row.get("itemCodeableConcept") or row.get("item")
        part = concept(item) or _medication_at(
            row.get("itemReference") or obj(item).get("reference") or item, target, index, steps - 1
        )
        if part:
            parts.append(part)
    if len(parts) == 1:
        return parts[0]
    return Text(" / ".join(p.text for p in parts)) if parts else named_by(reference, holder, index)
