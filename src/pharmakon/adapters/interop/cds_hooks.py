"""CDS Hooks requests, 1.0 to 3.0 as they are sent (https://cds-hooks.hl7.org).

The prefetch may stand at the root, inside `context`, or loose among its fields; each value is a resource, a Bundle, a
`{response, resource}` pair, null, or an OperationOutcome. `fhirAuthorization` is not looked at, let alone kept.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from pharmakon.adapters.interop.fhir.bundle import assemble
from pharmakon.adapters.interop.fhir.harvest import Harvest, harvest
from pharmakon.adapters.interop.fhir.loose import Resource, identity, named, obj, short, words
from pharmakon.adapters.interop.fhir.orders import KINDS
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Prescription

#: hook → the context fields that may hold its orders; medication-verify is documented one way and exampled another
HOOKS = {
    "order-sign": ("draftOrders",),
    "order-select": ("draftOrders",),
    "medication-prescribe": ("medications",),
    "medication-verify": ("medication", "order"),
    "patient-view": (),
}
_NOT_PREFETCH = {"draftOrders", "medications", "medication", "order", "selections"}


def is_hooks_request(value: object) -> bool:
    return isinstance(value, dict) and ("hook" in value or "hookInstance" in value)


def read_hooks(value: object, *, name: str, today: date) -> Prescription:
    """The orders under decision as `new`, then the record of the prefetch; no order at all is an empty prescription."""
    request = obj(value)
    hook = words(request.get("hook"))
    if hook not in HOOKS:
        given = f"the hook {short(hook)!r} is not known here" if hook else "it names no hook"
        raise BadInput(given, where=f"{name}, hook", expected=", ".join(HOOKS))
    if not isinstance(request.get("context"), dict):
        raise BadInput("there is no context", where=f"{name}, context", expected="an object with the hook's fields")
    context = obj(request.get("context"))
    remarks: list[str] = []
    drafts = _drafts(context, hook, name, remarks)
    if hook == "order-select":
        drafts = _selected_first(drafts, context, remarks)
    patient = words(context.get("patientId")) or words(request.get("patient"))
    try:
        read = assemble(_prefetch(request, context), drafts, today=today, patient_id=patient, hooks=True)
    except BadInput as error:
        raise error.within(name) from None
    if not read.orders:
        remarks.append("there is no medication order to audit")
    return replace(read, remarks=(*remarks, *read.remarks))


def _drafts(context: Resource, hook: str, name: str, remarks: list[str]) -> list[Resource]:
    fields = HOOKS[hook]
    given = [context[field] for field in fields if context.get(field) is not None]
    if fields and not given:
        raise BadInput(
            f"{hook} needs {' or '.join(fields)}", where=f"{name}, context", expected="the orders under decision"
        )
    drafts = []
    for value in given:
        found = harvest(value)
        remarks.extend(found.remarks)
        for _, resource in found.resources:
            if resource.get("resourceType") in KINDS:
                drafts.append(resource)
            elif resource.get("resourceType") != "Medication":
                remarks.append(f"{named(resource)} is no medication order and was not looked at")
    return drafts


def _selected_first(drafts: list[Resource], context: Resource, remarks: list[str]) -> list[Resource]:
    """All drafts count; the ones selected lead, and the report says which they are."""
    listed = context.get("selections")
    selections = {words(s) for s in listed if words(s)} if isinstance(listed, list) else set()
    missing = sorted(s for s in selections if s.split("/")[0] in KINDS and s not in {identity(d) for d in drafts})
    remarks.extend(
        f"the selection {'/'.join(short(part) for part in s.split('/')[:2])} is not among the draft orders"
        for s in missing
    )
    selected = [d for d in drafts if identity(d) in selections]
    others = [d for d in drafts if identity(d) not in selections]
    if selected and others:
        names = ", ".join(named(d) for d in selected)
        remarks.append(f"selected: {names}; the other drafts are audited as new orders too")
    return selected + others


def _prefetch(request: Resource, context: Resource) -> Harvest:
    values = {**obj(request.get("prefetch")), **obj(context.get("prefetch"))}
    for key, value in context.items():
        if key not in _NOT_PREFETCH and key != "prefetch" and isinstance(value, dict):
            values.setdefault(key, value)
    found = Harvest()
    for field in ("draftOrders", "medications", "medication", "order"):
        # a Medication that a draft refers to travels beside it
        found.resources.extend(
            (u, r) for u, r in harvest(context.get(field)).resources if r.get("resourceType") == "Medication"
        )
    for key, value in values.items():
        part = harvest(value, place=f"prefetch {short(key)}")
        found.resources.extend(part.resources)
        found.remarks.extend(part.remarks)
    return found
