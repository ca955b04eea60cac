"""`POST /v1/ask`: a question in English, Dutch or Chinese, and its answer with citations.

A session makes it a conversation; what is known in one is held in memory alone.
"""

from __future__ import annotations

import json
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from pharmakon.app.service import AskCall, Service
from pharmakon.ask.session import Session
from pharmakon.faces.api.bodies import LANGS, answers
from pharmakon.model.errors import BadInput

_KEPT, _SECONDS = 10_000, 3600.0  #: conversations that are remembered, and for how long after the last turn


class Asked(BaseModel):
    """A question. `session` is what an earlier answer gave; without it the conversation begins anew."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={
        "example": {"question": "Can I take ibuprofen with warfarin?"}
    })  # fmt: skip

    question: Annotated[str, Field(max_length=10_000)]
    lang: Annotated[str, Field(pattern=LANGS)] | None = None
    agent: Annotated[str, Field(max_length=40)] = ""
    professional: bool = False
    session: Annotated[str, Field(max_length=100)] = ""


@dataclass(slots=True)
class Conversations:
    """What is known in each conversation, in memory alone: it is about somebody, and goes with the process."""

    _held: OrderedDict[str, tuple[float, Session]] = field(default_factory=OrderedDict)

    def of(self, key: str) -> Session | None:
        """`BadInput` for a key that was never given, or whose conversation is forgotten."""
        self._forget()
        if not key:
            return None
        if key not in self._held:
            raise BadInput("there is no such session, or it ended", where="session", expected="one of this last hour")
        return self._held[key][1]

    def keep(self, key: str, session: Session) -> str:
        """Under `key`, or a new one that nobody can guess."""
        key = key or secrets.token_urlsafe(24)
        self._held[key] = (time.monotonic(), session)
        self._held.move_to_end(key)
        return key

    def _forget(self) -> None:
        oldest = time.monotonic() - _SECONDS
        while self._held and (len(self._held) > _KEPT or next(iter(self._held.values()))[0] < oldest):
            self._held.popitem(last=False)


def asks(service: Service) -> APIRouter:
    router = APIRouter(prefix="/v1/ask", tags=["ask"])
    conversations = Conversations()

    @router.post("", responses=answers("ask", "The answer, and the session that the next turn names"))
    async def ask(asked: Asked) -> Response:
        """Answer a question from the knowledge base, with the sentence behind every claim, or say that it does not."""
        session = conversations.of(asked.session)
        call = AskCall(asked.question, asked.lang or "", asked.agent, asked.professional, session)
        found, after = await service.ask(call)
        key = conversations.keep(asked.session, after)
        return Response(found[:-1] + f',"session":{json.dumps(key)}}}'.encode(), media_type="application/json")

    return router
