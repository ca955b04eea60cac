"""Answers of a language model by what was asked: the same question of the same model is asked once.

A row is keyed by a hash of prompt, schema, model, tier, temperature and length, and holds the answer alone. What is
asked at a temperature above 0 is meant to differ, so it is kept only where that is wanted.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pharmakon.ports.language_model import Prompt

_TABLE = "CREATE TABLE IF NOT EXISTS answer (key TEXT PRIMARY KEY, model TEXT NOT NULL, answer TEXT NOT NULL)"


class Remembered:
    """A SQLite file that processes may share; one that can't be read or written is done without."""

    def __init__(self, file: Path, *, warm: bool = False) -> None:
        """`warm`: keep answers at a temperature above 0 as well."""
        self._file, self._warm = file, warm
        self._lock = threading.Lock()

    def keeps(self, prompt: Prompt) -> bool:
        return self._warm or prompt.temperature == 0.0

    def get(self, key: str) -> Mapping[str, Any] | None:
        if not self._file.exists():
            return None
        try:
            with self._lock, closing(sqlite3.connect(self._file, timeout=5)) as open_file:
                row = open_file.execute("SELECT answer FROM answer WHERE key = ?", (key,)).fetchone()
            value = json.loads(row[0]) if row else None
        except (sqlite3.Error, ValueError):
            return None  # a lost answer is asked for again
        return value if isinstance(value, dict) else None

    def put(self, key: str, model: str, answer: Mapping[str, Any]) -> bool:
        """Whether it could be kept."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._lock, closing(sqlite3.connect(self._file, timeout=5)) as open_file, open_file:
                open_file.execute(_TABLE)
                row = (key, model, json.dumps(answer, ensure_ascii=False))
                open_file.execute("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", row)
        except (sqlite3.Error, OSError):
            return False
        return True


def key(prompt: Prompt, schema: Mapping[str, Any], model: str, tier: str) -> str:
    """One word for exactly this question."""
    asked = json.dumps([asdict(prompt), schema, model, tier], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()
