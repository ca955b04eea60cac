"""Where things are. `PHARMAKON_HOME` holds the knowledge base; by default it is the platform's data folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    home: Path

    @property
    def knowledge(self) -> Path:
        return self.home / "knowledge"


def settings(home: Path | str | None = None) -> Settings:
    """From the argument, else from the environment, else the default."""
    chosen = home or os.environ.get("PHARMAKON_HOME")
    if chosen:
        return Settings(Path(chosen).expanduser())
    from platformdirs import user_data_path  # 25 ms, and only here

    return Settings(user_data_path("pharmakon", appauthor=False))
