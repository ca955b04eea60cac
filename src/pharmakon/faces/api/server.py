"""The application: routers, complaints, headers. `create` is what a server and a test call."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pharmakon import __version__
from pharmakon.app.service import Service
from pharmakon.faces.api.asks import asks
from pharmakon.faces.api.audits import audits
from pharmakon.faces.api.bodies import components
from pharmakon.faces.api.problems import add_problems, problem
from pharmakon.faces.api.state import state

_ABOUT = """Audits prescriptions and answers questions on medicines, each claim with the sentence that supports it.

For health professionals, who decide. The absence of a finding is no proof of safety. Not a medical device as shipped.
"""
#: Names of this machine. A page whose own name is made to point here (DNS rebinding) calls by another one.
HOSTS = ("127.0.0.1", "localhost")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",  # reports are about people
}


class _Edge:
    """Refuses requests that call this machine by another name; every response gets the headers above."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        called = Headers(scope=scope).get("host", "").rsplit(":", 1)[0]
        refused = problem(400, "this server is called by another name", where="Host", expected=" or ".join(HOSTS))
        await (self._app if called in HOSTS else refused)(scope, receive, with_headers)


def create(service: Service) -> FastAPI:
    """The HTTP face over `service`, which the caller opens and closes."""
    app = FastAPI(title="Pharmakon", version=__version__, description=_ABOUT, docs_url=None, redoc_url=None)
    for router in (audits(service), asks(service), state(service)):
        app.include_router(router)
    add_problems(app)

    app.add_middleware(_Edge)
    whole = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = whole()
            document.setdefault("components", {}).setdefault("schemas", {}).update(components())
        return whole()

    app.openapi = openapi  # type: ignore[method-assign]
    return app
