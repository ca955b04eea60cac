"""What a loose text needs to be taken for a label: to say so, or to look like one and be about a drug."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import EmbeddedKnowledge, open_embedded
from pharmakon.app.gathering import files, gather
from pharmakon.app.summary import Summary
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import Concept, Name, concept_id

KNOWN = Concept(concept_id("ingredient:zorfan"), (Name("zorfan", "en", "preferred"), Name("Zorfa", "en", "brand")))
README = "# {title}\n\n{title} is a framework.\n\n## Usage\n\nRun it.\n\n## Warnings\n\nNone.\n\n## References\n\nA.\n"
INTERACTIONS = "## Interactions\n\nAvoid kelpin.\n"
LABEL = "## Contraindications\n\nGout.\n\n## Drug interactions\n\nKelpin.\n\n## Adverse reactions\n\nFalls.\n"


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedKnowledge]:
    with closing(open_embedded(tmp_path_factory.mktemp("kb"))) as opened:
        opened.apply(ChangeSet("test", "a drug that is known", concepts=(KNOWN,)))
        yield opened


@pytest.fixture
def believed(knowledge: EmbeddedKnowledge, tmp_path: Path) -> Believed:
    return Believed(knowledge, tmp_path)


class Believed:
    """`believed("a.md", text)`: the products it is believed to be about; the refusals are in `refused`."""

    def __init__(self, knowledge: EmbeddedKnowledge, folder: Path) -> None:
        self.knowledge, self.folder = knowledge, folder
        self.refused: list[str] = []

    def __call__(self, name: str, text: str | bytes) -> list[str]:
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        summary = Summary()
        source = files([self.folder])
        gathered = gather(self.knowledge, source, summary)
        found: list[Incoming] = list(gathered.readable(source))
        assert gathered.total == len(found)
        self.refused = [str(error) for error in summary.refused]
        return [product.name for incoming in found for product in incoming.products]


@pytest.mark.parametrize("title", ["Changelog", "Lithography", "Zorfan"])
def test_a_manual_is_no_label_even_where_its_title_is_a_drug(believed: Believed, title: str) -> None:
    assert believed("README.md", README.format(title=title)) == []
    (refused,) = believed.refused
    assert "README.md: " in refused
    assert f"{title!r} is a guess" in refused
    assert '"# drug: NAME"' in refused
    assert "\n" not in refused


def test_notes_about_a_drug_are_no_label(believed: Believed) -> None:
    assert believed("notes.txt", "Team meeting\n\nZorfan is a topic.\n\nINTERACTIONS\n\nAvoid kelpin.\n") == []
    assert len(believed.refused) == 1


def test_a_text_that_names_no_drug_and_has_a_heading_or_two_is_no_label(believed: Believed) -> None:
    assert believed("a.txt", "INTERACTIONS\n\nof programs.\n\nOVERDOSE\n\nof coffee.\n") == []
    assert "it names no drug, and 2 sections of a label" in believed.refused[0]


@pytest.mark.parametrize("first", ["# drug: kelpin\n\n", "drug: kelpin\n\n"])
def test_a_text_that_says_which_drug_it_is_about_is_believed(believed: Believed, first: str) -> None:
    assert believed("a.txt", f"{first}INTERACTIONS\n\nAvoid zorfan.\n") == ["kelpin"]
    assert believed.refused == []


@pytest.mark.parametrize("text", ["# drug: kelpin\n\n", "---\ndrug: kelpin\n---\n"])
def test_markdown_that_says_which_drug_it_is_about_is_believed(believed: Believed, text: str) -> None:
    assert believed("a.md", text + INTERACTIONS) == ["kelpin"]


@pytest.mark.parametrize("title", ["Zorfan", "Zorfa", "Zorfan sodium tablets"])
def test_a_known_drug_as_title_above_a_section_of_a_label_is_believed(believed: Believed, title: str) -> None:
    assert len(believed("a.md", f"# {title}\n\n{INTERACTIONS}")) == 1


def test_a_label_of_a_drug_that_nobody_knows_is_believed_for_its_sections(believed: Believed) -> None:
    assert believed("a.md", f"# Kelpa\n\n{INTERACTIONS}") == []
    assert believed("a.md", f"# Kelpa (kelpin)\n\n{INTERACTIONS}") == []
    assert believed("a.md", f"# Kelpa\n\n{LABEL}") == ["Kelpa"]
    assert believed("a.md", f"# Kelpa (kelpin)\n\n{LABEL}") == ["Kelpa"]


def test_a_title_may_be_a_drug_that_another_file_brings_and_one_guess_bears_out_no_other(believed: Believed) -> None:
    assert believed("0.md", f"# Kelpin\n\n{INTERACTIONS}") == []
    assert believed("1.md", f"# Kelpin\n\n{LABEL}") == ["Kelpin"], "0.md has the same title, and is no better for it"
    assert believed("2.md", f"# drug: kelpin\n\n{INTERACTIONS}") == ["Kelpin", "Kelpin", "kelpin"]
