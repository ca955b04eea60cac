"""The ways to answer, one a file; each takes a question with its links and gives a draft with evidence."""

from __future__ import annotations

from collections.abc import Mapping

from pharmakon.ask.agents.agent import Agent
from pharmakon.ask.agents.deep_search import DeepSearch
from pharmakon.ask.agents.dual_granularity import DualGranularity
from pharmakon.ask.agents.naive import Naive
from pharmakon.ask.agents.question_graph import QuestionGraph

#: By the name that `--agent` takes.
AGENTS: Mapping[str, Agent] = {a.name: a for a in (Naive(), DualGranularity(), DeepSearch(), QuestionGraph())}
