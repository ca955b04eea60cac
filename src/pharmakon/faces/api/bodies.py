"""What comes in: bodies of at most so many bytes, as bytes, since `app` reads every form of a prescription itself."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from pharmakon.app import api
from pharmakon.faces.api.problems import TooLarge

#: Bytes of one prescription over HTTP; a FHIR Bundle with years of a record has some MB.
LARGEST = 16 * 1024 * 1024
LANGS = "^(en|nl|zh)$"


async def body_of(request: Request, most: int = LARGEST) -> bytes:
    """The whole body; `TooLarge` as soon as it is, whatever length it claims to have."""
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > most:
            raise TooLarge("the request is too large", where="body", expected=f"at most {most / 1024 / 1024:g} MB")
    return bytes(data)


def json_body(shape: str, media: str = "application/json", **more: Any) -> dict[str, Any]:
    """The OpenAPI entry of a body that a handler reads by itself."""
    content = {media: {"schema": {"$ref": f"#/components/schemas/{shape}"}, **more}}
    return {"requestBody": {"required": True, "content": content}}


def answers(shape: str, what: str) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI entry of what comes back, with the complaints that every path may give."""
    found = {"description": what, "content": {"application/json": {"schema": _ref(shape)}}}
    complaints = {400: "The request is wrong", 413: "The request is too large", 503: "Not now"}
    error = {"application/json": {"schema": _ref("error")}}
    return {200: found, **{status: {"description": said, "content": error} for status, said in complaints.items()}}


def components() -> dict[str, dict[str, Any]]:
    """The published shapes as OpenAPI components."""
    return {name: _moved(api.schema_of(name), f"#/components/schemas/{name}/$defs/") for name in api.SHAPES}


def _ref(shape: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{shape}"}


def _moved(value: Any, to: str) -> Any:
    """A schema whose references to its own definitions hold where it stands now."""
    if isinstance(value, dict):
        return {
            k: v.replace("#/$defs/", to) if k == "$ref" and isinstance(v, str) else _moved(v, to)
            for k, v in value.items()
            if k not in ("$schema", "$id")
        }
    return [_moved(v, to) for v in value] if isinstance(value, list) else value
