"""Resources out of whatever wraps them: bundles in bundles, bare entries, lists, `{response, resource}`."""

from __future__ import annotations

from dataclasses import dataclass, field

from pharmakon.adapters.interop.fhir.loose import Resource, identity, named, obj, objs, short, words


@dataclass(frozen=True, slots=True)
class Harvest:
    """Resources with the full URL they were filed under, and what to say about the wrapping."""

    resources: list[tuple[str, Resource]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def of(self, *kinds: str) -> list[Resource]:
        return [r for _, r in self.resources if r.get("resourceType") in kinds]


def harvest(value: object, *, place: str = "") -> Harvest:
    """Every resource within `value`; one that was sent twice, word for word, is taken once."""
    found = Harvest()
    _walk(value, "", place, found)
    seen: dict[str, set[str]] = {}
    unique = []
    for url, resource in found.resources:
        copies = seen.setdefault(identity(resource), set()) if words(resource.get("id")) else set()
        if (content := repr(resource)) in copies:
            continue
        if copies:
            found.remarks.append(f"there are several different resources {named(resource)}; all are read")
        copies.add(content)
        unique.append((url, resource))
    return Harvest(unique, list(dict.fromkeys(found.remarks)))


def _walk(value: object, url: str, place: str, found: Harvest) -> None:
    if isinstance(value, list):
        for item in value:
            _walk(item, url, place, found)
        return
    if not isinstance(value, dict):
        return
    kind = words(value.get("resourceType"))
    if kind == "OperationOutcome":
        # the code alone: diagnostics and details of a server may hold addresses, queries and tokens
        why = next((short(i.get("code")) for i in objs(value.get("issue")) if words(i.get("code"))), "")
        what = f"{place}: " if place else ""
        found.remarks.append(f"{what}the sender reported an error in place of data{f' ({why})' if why else ''}")
    elif kind and kind != "Bundle":
        found.resources.append((url, value))
    else:
        if any(words(link.get("relation")) == "next" for link in objs(value.get("link"))):
            found.remarks.append(
                f"{place or 'the bundle'} has further pages that were not sent; the list is incomplete"
            )
        if words(obj(value.get("request")).get("method")).upper() == "DELETE":
            return
        filed = words(value.get("fullUrl"))
        for key in ("resource", "entry"):
            _walk(value.get(key), filed, place, found)
