"""The application: routers, complaints, headers. `create` is what a server and a test call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI, Request, Response

from pharmakon import __version__
from pharmakon.app.service import Service
from pharmakon.faces.api.asks import asks
from pharmakon.faces.api.audits import audits
from pharmakon.faces.api.bodies import components
from pharmakon.faces.api.problems import add_problems
from pharmakon.faces.api.state import state

_ABOUT = """Audits prescriptions and answers questions on medicines, each claim with the sentence that supports it.

For health professionals, who decide. The absence of a finding is no proof of safety. Not a medical device as shipped.
"""
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",  # reports are about people
}


def create(service: Service) -> FastAPI:
    """The HTTP face over `service`, which the caller opens and closes."""
    app = FastAPI(title="Pharmakon", version=__version__, description=_ABOUT, docs_url=None, redoc_url=None)
    for router in (audits(service), asks(service), state(service)):
        app.include_router(router)
    add_problems(app)

    @app.middleware("http")
    async def headers(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        response = await go_on(request)
        response.headers.update({k: v for k, v in _HEADERS.items() if k not in response.headers})
        return response

    whole = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = whole()
            document.setdefault("components", {}).setdefault("schemas", {}).update(components())
        return whole()

    app.openapi = openapi  # type: ignore[method-assign]
    return app
