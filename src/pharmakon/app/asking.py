"""The use case of asking: an asker for the knowledge base as it is now, with vectors where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pharmakon.app.build import embedder as chosen_embedder
from pharmakon.app.build import language_model
from pharmakon.app.embedding import bring_in_shipped
from pharmakon.app.following import follow_communities
from pharmakon.app.settings import Settings, has_model
from pharmakon.ask.calibration import Calibration, calibrate
from pharmakon.ask.phrasing import phrase
from pharmakon.ask.pipeline import Answered, Asker, Asking
from pharmakon.ask.session import Session
from pharmakon.ask.words import Words
from pharmakon.audit.run import Auditor
from pharmakon.model.answer import Answer
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import Report
from pharmakon.ports.embedder import Embedder, NoEmbedder
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.ports.language_model import LanguageModel
from pharmakon.retrieve.passages import Retriever


@dataclass(slots=True)
class Questions:
    """Keeps an asker for one state of the knowledge base, and makes another when that changes."""

    knowledge: KnowledgeBase
    settings: Settings
    _asker: Asker | None = field(init=False, default=None)
    _embedder: Embedder | None = field(init=False, default=None)
    _why_not: str = field(init=False, default="")
    _all_embedded: bool = field(init=False, default=False)  #: in the state that the asker is for

    def ask(self, auditor: Auditor, text: str, asking: Asking, session: Session | None) -> Answered:
        """The answer with a note on how passages were searched, where that was by words alone.

        Raises `BadInput` where a model is to write and the environment names none.
        """
        if asking.model and not has_model():
            raise BadInput("no language model is set up", expected="PHARMAKON_LM_URL and PHARMAKON_LM_MODEL")
        asker = self._current(auditor)
        answered = asker.ask(text, asking, session)
        if note := self._how(answered.answer.lang):
            answer = replace(answered.answer, notes=(*answered.answer.notes, note))
            return replace(answered, answer=answer)
        return answered

    def phrase(self, auditor: Auditor, report: Report, reader: str, lang: str) -> Report:
        """A report whose findings a model phrases for a reader, as far as their evidence supports it (PG-5, stage 4).

        It says first that a model phrased it, and how much was dropped.
        """
        model = language_model(self.settings)
        found = phrase(report, reader, model, self._current(auditor).checker, lang)
        words = Words(lang)
        said = [words("phrased", model=model.name, count=found.phrases, dropped=len(found.dropped))]
        said += [words("model_failed", why=why) for why in dict.fromkeys(found.failed)]
        return replace(found.report, notices=(*found.report.notices, *said))

    def unsupported(self, auditor: Auditor, answer: Answer, question: str) -> list[str]:
        """The sentences of an answer that the check of code finds unsupported."""
        return self._current(auditor).unsupported(answer, question)

    def calibrate(self, auditor: Auditor, questions: Sequence[str]) -> Calibration:
        """Of the routes that a sample takes."""
        asker = self._current(auditor)
        return calibrate(asker.route(question).route for question in questions)

    def prepare(self, auditor: Auditor) -> None:
        """Bring vectors that are shipped, communities and the asker up to the knowledge base as it is."""
        self._current(auditor)

    def _current(self, auditor: Auditor) -> Asker:
        if self._asker is None or self._asker.version != self.knowledge.version():
            try:
                embedder: Embedder | None = self.embedder()
            except NoEmbedder as error:
                embedder, self._why_not = None, str(error)
            if embedder is not None:
                bring_in_shipped(self.knowledge, embedder.name)
            self._all_embedded = False
            follow_communities(self.knowledge)
            self._asker = Asker(self.knowledge, auditor, Retriever(self.knowledge, embedder), self._model())
        return self._asker

    def _model(self) -> LanguageModel | None:
        return language_model(self.settings) if has_model() else None

    def embedder(self) -> Embedder:
        """The one embedder; raises `NoEmbedder`."""
        if self._embedder is None:
            self._embedder = chosen_embedder()
        return self._embedder

    def _how(self, lang: str) -> str:
        if self._embedder is None:
            return Words(lang)("no_vectors", why=self._why_not)
        if self._all_embedded:
            return ""
        total, done = self.knowledge.embedded(self._embedder.name)
        self._all_embedded = done == total
        return Words(lang)("lexical", done=done, total=total) if done < total else ""
