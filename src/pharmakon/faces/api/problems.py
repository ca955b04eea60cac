"""Complaints over HTTP, in the `error` shape: what was wrong, where, what was expected."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from pharmakon.app import api
from pharmakon.model.errors import BadInput, KnowledgeError, ProcessDied


class TooLarge(BadInput):
    """A body of more bytes than are taken."""


def problem(status: int, what: str, *, where: str = "", expected: str = "") -> JSONResponse:
    return JSONResponse(api.error_as_dict(BadInput(what, where=where, expected=expected)), status)


def add_problems(app: FastAPI) -> None:
    """Every error that is raised on purpose has its status; any other is a 500 that tells nothing of the request."""

    @app.exception_handler(BadInput)
    async def _bad_input(_: Request, error: BadInput) -> JSONResponse:
        return JSONResponse(api.error_as_dict(error), 413 if isinstance(error, TooLarge) else 400)

    @app.exception_handler(RequestValidationError)
    async def _not_valid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        return problem(422, str(first["msg"]), where=".".join(str(part) for part in first["loc"]))

    @app.exception_handler(KnowledgeError)
    async def _no_knowledge(_: Request, error: KnowledgeError) -> JSONResponse:
        return problem(503, str(error))

    @app.exception_handler(ProcessDied)
    async def _died(_: Request, error: ProcessDied) -> JSONResponse:
        return problem(503, str(error), expected="the same request once more")

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> JSONResponse:
        return problem(error.status_code, str(error.detail))

    @app.exception_handler(Exception)
    async def _unforeseen(_: Request, error: Exception) -> JSONResponse:
        return problem(500, f"an error that nobody foresaw ({type(error).__name__})")
