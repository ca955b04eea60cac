"""`/health`: the process answers. `/ready`: the knowledge base is open, and which version of it."""

from __future__ import annotations

from fastapi import APIRouter

from pharmakon.app.service import Service


def state(service: Service) -> APIRouter:
    router = APIRouter(tags=["state"])

    @router.get("/health")
    async def health() -> dict[str, str]:
        """Alive."""
        return {"status": "alive"}

    @router.get("/ready")
    async def ready() -> dict[str, str]:
        """Ready to audit and answer."""
        return {"status": "ready", "knowledge_version": service.knowledge.knowledge.version()}

    return router
