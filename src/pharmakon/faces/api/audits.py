"""`POST /v1/audit`: one prescription in any form that can be read, its report out; `/v1/audit/batch`: many."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Sequence
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from pharmakon.app import api
from pharmakon.app.service import AuditCall, Service
from pharmakon.faces.api.bodies import LANGS, answers, body_of, json_body
from pharmakon.model.errors import BadInput, ProcessDied

_EXAMPLE = {
    "patient": {"age": 82, "sex": "female", "creatinine": {"value": 1.9, "unit": "mg/dL"}},
    "medications": [{"drug": "warfarin 5 mg"}, {"drug": "ibuprofen 400 mg", "frequency": "three times daily"}],
    "as_of": "2026-03-02",
}
_AHEAD = 8  #: prescriptions of one batch that may be under way
_LARGEST_BATCH = 64 * 1024 * 1024  #: bytes; what is larger goes through `pharmakon audit --batch`

Lang = Annotated[str, Query(pattern=LANGS, description="Language of our words; quotations stay in theirs.")]
AsOf = Annotated[date | None, Query(description="Audit as of this day.")]


def audits(service: Service) -> APIRouter:
    router = APIRouter(prefix="/v1/audit", tags=["audit"])

    @router.post(
        "", responses=answers("audit", "The report"), openapi_extra=json_body("prescription", example=_EXAMPLE)
    )
    async def audit(
        request: Request, lang: Lang = "en", as_of: AsOf = None,
        explain: Annotated[bool, Query(description="With plan, queries and the rules weighed.")] = False,
        fhir: Annotated[bool, Query(description="A Bundle of DetectedIssue in place of the report.")] = False,
    ) -> Response:  # fmt: skip
        """Audit one prescription: plain JSON, a FHIR R4 Bundle or a CDS Hooks request."""
        data = await body_of(request)
        found = await service.audit(AuditCall(data, lang, as_of, explain, fhir))
        return Response(found, media_type="application/fhir+json" if fhir else "application/json")

    @router.post(
        "/batch", response_class=StreamingResponse,
        openapi_extra=json_body("prescription", "application/x-ndjson"),
        responses={200: {"description": "One report or complaint a line", "content": {"application/x-ndjson": {}}}},
    )  # fmt: skip
    async def batch(request: Request, lang: Lang = "en", as_of: AsOf = None) -> Response:
        """Audit one prescription a line; one line comes back for each, in order, as soon as it is done."""
        lines = (await body_of(request, _LARGEST_BATCH)).split(b"\n")
        return StreamingResponse(_batch(service, lines, lang, as_of), media_type="application/x-ndjson")

    return router


async def _batch(
    service: Service, lines: Sequence[bytes], lang: str, as_of: date | None
) -> AsyncIterator[bytes]:  # fmt: skip
    under_way: deque[asyncio.Task[bytes]] = deque()
    try:
        for number, line in enumerate(lines, 1):
            if line.strip():
                under_way.append(asyncio.create_task(_one(service, number, AuditCall(line, lang, as_of))))
            if len(under_way) >= _AHEAD:
                yield await under_way.popleft()
        while under_way:
            yield await under_way.popleft()
    finally:
        for task in under_way:
            task.cancel()


async def _one(service: Service, number: int, call: AuditCall) -> bytes:
    """The line of one report; what is wrong with a prescription stands in its place."""
    try:
        found = await service.audit(call)
    except BadInput as error:
        found = json.dumps(api.error_as_dict(error), ensure_ascii=False).encode()
    except ProcessDied as error:
        found = json.dumps(api.error_as_dict(BadInput(str(error))), ensure_ascii=False).encode()
    return f'{{"line":{number},'.encode() + found[1:] + b"\n"
