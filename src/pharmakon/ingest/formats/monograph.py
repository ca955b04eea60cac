"""Monographs: knowledge written by hand, as YAML (`docs/monographs.md` is the guide for authors).

Reading is strict: every value is text until the format says otherwise (so `no` is a word and `1.10` keeps its zero),
unknown keys are refused, and every complaint names file and line. What a statement means is `extract.curated`'s
business; here a file becomes a `Monograph` and a `Document` whose sections are the statements' own sentences.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import yaml

from pharmakon.model.concepts import Code, Concept, ConceptId, Name, concept_id
from pharmakon.model.documents import Citation, Document, Section
from pharmakon.model.errors import BadInput, BadMonograph
from pharmakon.model.vocabulary import relations, section_kinds

#: libyaml reads the formulary in a tenth of the time; not every build of PyYAML has it.
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

KIND = "our statement"
LANGUAGES = ("en", "nl", "zh")
CODE_SYSTEMS = ("rxnorm", "unii", "atc", "snomed", "icd10", "icd9", "mesh", "ndc")
DEPTHS = ("deep", "thin", "carrier")
FIELDS = frozenset(
    ["says", "cite", "risk", "tier", "limit", "from", "strength", "when", "raise", "first_true", "except"]
).union(["mechanism", "effect", "management", "not"])
#: What a deep monograph answers; where its source is silent it says so under `states_none`.
TOPICS = {
    "indications": "no indication",
    "dose": "no dose limit in figures",
    "renal": "no rule for impaired kidneys",
    "contraindications": "no contraindication that a record could show",
    "interactions": "no interaction",
}
_TOP = frozenset(["concept", "depth", "names", "salts", "brands", "lay", "codes", "prefixes", "sources"]).union(
    ["states_none", "facts"]
)
_SOURCE = frozenset(["title", "set_id", "doi", "url", "read"])
_OWN = Citation("Pharmakon's own arrangement of concepts", "pharmakon", "identity", "", "", read=True)


@dataclass(frozen=True, slots=True)
class Entry:
    """One statement as written. `fields` are the optional keys; values are text, lists or mappings of text."""

    place: str  #: file:line
    says: str
    relation: str
    objects: tuple[str, ...]
    citations: tuple[Citation, ...]
    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Silence:
    """A topic on which the cited section was read and found to state nothing."""

    topic: str  #: one of `TOPICS`
    citation: Citation

    def sentence(self, name: str) -> str:
        return f"{self.citation.title} states {TOPICS[self.topic]} for {name}."


@dataclass(frozen=True, slots=True)
class Monograph:
    place: str
    concept: Concept
    entries: tuple[Entry, ...]
    silences: tuple[Silence, ...] = ()


def read_monographs(data: bytes, name: str) -> Iterator[Monograph]:
    """Every monograph of one file; raises `BadMonograph` with `name:line`."""
    try:
        text = data.decode("utf-8")
        for node in yaml.compose_all(text, Loader=_LOADER):
            if node is not None:
                yield _Reader(name).monograph(node)
    except UnicodeDecodeError as error:
        raise BadMonograph(f"byte {error.start} is not UTF-8", where=name, expected="UTF-8 text") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadMonograph(str(error.problem), where=f"{name}:{line}", expected="valid YAML") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        what = f"character {error.character!r} can't stand in YAML"
        raise BadMonograph(what, where=f"{name}:{line}", expected="printable text") from None


class _Reader:
    """Walks the YAML nodes of one file, so that every complaint can name its line."""

    def __init__(self, name: str) -> None:
        self.name = name

    def place(self, node: yaml.Node) -> str:
        return f"{self.name}:{node.start_mark.line + 1}"

    def bad(self, node: yaml.Node, what: str, expected: str = "") -> BadMonograph:
        return BadMonograph(what, where=self.place(node), expected=expected)

    def monograph(self, node: yaml.Node) -> Monograph:
        top = self.mapping(node, _TOP)
        if "concept" not in top:
            raise self.bad(node, "no concept", "concept: kind:slug")
        try:
            cid = concept_id(self.text(top["concept"]))
        except BadInput as error:
            raise self.bad(top["concept"], error.what, error.expected) from None
        names = self.names(cid, top, node)
        codes = self.codes(top)
        depth = self.text(top["depth"]) if "depth" in top else ""
        if depth and depth not in DEPTHS:
            raise self.bad(top["depth"], f"depth {depth!r}", ", ".join(DEPTHS))
        sources = self.sources(top.get("sources"))
        facts = self.sequence(top["facts"]) if "facts" in top else []
        entries = tuple(self.entry(fact, sources) for fact in facts)
        silences = self.silences(top["states_none"], sources) if "states_none" in top else ()
        return Monograph(self.place(node), Concept(cid, names, codes, depth), entries, silences)

    def silences(self, node: yaml.Node, sources: Mapping[str, Citation]) -> tuple[Silence, ...]:
        found: list[Silence] = []
        for topic, cited in self.mapping(node, frozenset(TOPICS)).items():
            citation = self.citation(self.text(cited), sources, cited)
            if not citation.read or citation is _OWN:
                raise self.bad(cited, "a silence of a source that was not read", "a source with read: yes")
            found.append(Silence(topic, citation))
        return tuple(found)

    def names(self, cid: ConceptId, top: Mapping[str, yaml.Node], node: yaml.Node) -> tuple[Name, ...]:
        if "names" not in top:
            raise self.bad(node, f"{cid} has no names", "names: {en: [...]}")
        found: list[Name] = []
        for lang, listed in self.mapping(top["names"], frozenset(LANGUAGES)).items():
            for i, text in enumerate(self.texts(listed)):
                found.append(Name(text, lang, "synonym" if i else "preferred"))
        if not any(n.lang == "en" for n in found):
            raise self.bad(top["names"], f"{cid} has no English name", "names: {en: [...]}")
        for key, kind in (("salts", "salt"), ("brands", "brand")):
            found += [Name(text, "en", kind) for text in self.texts(top[key])] if key in top else []
        if "lay" in top:
            for lang, listed in self.mapping(top["lay"], frozenset(LANGUAGES)).items():
                found += [Name(text, lang, "lay") for text in self.texts(listed)]
        return tuple(dict.fromkeys(found))

    def codes(self, top: Mapping[str, yaml.Node]) -> tuple[Code, ...]:
        found: list[Code] = []
        for key in ("codes", "prefixes"):
            if key in top:
                for system, listed in self.mapping(top[key], frozenset(CODE_SYSTEMS)).items():
                    found += [Code(system, value, prefix=key == "prefixes") for value in self.texts(listed)]
        return tuple(dict.fromkeys(found))

    def sources(self, node: yaml.Node | None) -> Mapping[str, Citation]:
        found = {"pharmakon": _OWN}
        for key, source in self.mapping(node).items() if node else ():
            row = {k: self.text(v) for k, v in self.mapping(source, _SOURCE).items()}
            if not row.get("title") or row.get("read") not in ("yes", "no"):
                raise self.bad(
                    source, f"source {key!r} is incomplete", "title, read: yes or no, and set_id, doi or url"
                )
            reference = row.get("set_id") or row.get("doi") or row.get("url", "")
            if not reference:
                raise self.bad(source, f"source {key!r} can't be found by a reader", "set_id, doi or url")
            found[key] = Citation(row["title"], reference, "", "", _url(row), read=row["read"] == "yes")
        return found

    def entry(self, node: yaml.Node, sources: Mapping[str, Citation]) -> Entry:
        keys = self.mapping(node, FIELDS | relations().keys())
        named = [k for k in keys if k in relations()]
        if len(named) != 1:
            raise self.bad(
                node, f"{len(named)} relations in one statement", "exactly one, such as treats: disease:gout"
            )
        for key in ("says", "cite"):
            if key not in keys:
                raise self.bad(node, f"a statement without {key!r}", "says, cite and one relation")
        says = " ".join(self.text(keys["says"]).split())
        if says[-1:] not in ".!?。":
            raise self.bad(keys["says"], f"{says[-30:]!r} is no full sentence", "a sentence that ends in a full stop")
        citations = tuple(self.citation(c, sources, keys["cite"]) for c in self.texts(keys["cite"]))
        fields = {k: self.plain(v) for k, v in keys.items() if k in FIELDS - {"says", "cite"}}
        return Entry(self.place(node), says, named[0], self.texts(keys[named[0]]), citations, fields)

    def citation(self, text: str, sources: Mapping[str, Citation], node: yaml.Node) -> Citation:
        """`label contraindications`, `label warnings 5.7`, or `pharmakon`."""
        key, _, rest = text.partition(" ")
        if key not in sources:
            raise self.bad(node, f"source {key!r} is not declared", f"one of {', '.join(sorted(sources))}")
        if key == "pharmakon":
            return _OWN
        kind, _, locator = rest.partition(" ")
        if kind not in section_kinds():
            raise self.bad(node, f"{kind!r} is no section", f"{key} SECTION, one of {', '.join(section_kinds())}")
        base = sources[key]
        return Citation(base.title, base.reference, kind, locator.strip(), base.url, base.read)

    def mapping(self, node: yaml.Node, allowed: frozenset[str] | None = None) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            raise self.bad(node, "not a mapping", "key: value")
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = self.text(key)
            if allowed is not None and name not in allowed:
                raise self.bad(key, f"unknown key {name!r}", f"one of {', '.join(sorted(allowed))}")
            if name in found:
                raise self.bad(key, f"{name!r} stands here twice", "each key once")
            found[name] = value
        return found

    def sequence(self, node: yaml.Node) -> list[yaml.Node]:
        if not isinstance(node, yaml.SequenceNode):
            raise self.bad(node, "not a list", "- item")
        return list(node.value)

    def text(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode) or not str(node.value).strip():
            raise self.bad(node, "not a text", "a word or a sentence")
        return str(node.value).strip()

    def texts(self, node: yaml.Node) -> tuple[str, ...]:
        """One text or a list of them."""
        return tuple(self.text(n) for n in node.value) if isinstance(node, yaml.SequenceNode) else (self.text(node),)

    def plain(self, node: yaml.Node) -> object:
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(n) for n in node.value]
        if isinstance(node, yaml.MappingNode):
            return {k: self.plain(v) for k, v in self.mapping(node).items()}
        return self.text(node)


def _url(row: Mapping[str, str]) -> str:
    if row.get("url"):
        return row["url"]
    if row.get("set_id"):
        return f"https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid={row['set_id']}"
    return f"https://doi.org/{row['doi']}" if row.get("doi") else ""


def compose(monograph: Monograph, passages: Mapping[int, str]) -> tuple[Document, Mapping[int, tuple[int, int]]]:
    """The document of a monograph, and where each passage stands: entry number → (section ord, start).

    `passages` gives the text of each entry: its sentence, and the sentences of advice that go with it. Sections are
    the kinds of the first citation, in the vocabulary's order; passages keep the author's order, and what the source
    does not state comes last.
    """
    order = {kind: i for i, kind in enumerate(section_kinds())}
    by_kind: dict[str, list[int]] = {}
    for i, entry in enumerate(monograph.entries):
        by_kind.setdefault(entry.citations[0].section, []).append(i)
    unstated: dict[str, list[str]] = {}
    for silence in monograph.silences:
        by_kind.setdefault(silence.citation.section, [])
        unstated.setdefault(silence.citation.section, []).append(silence.sentence(monograph.concept.display))
    sections: list[Section] = []
    at: dict[int, tuple[int, int]] = {}
    for kind in sorted(by_kind, key=lambda k: order[k]):
        text = ""
        for i in by_kind[kind]:
            text += "\n" if text else ""
            at[i] = (len(sections), len(text))
            text += passages[i]
        text = "\n".join([*([text] if text else []), *unstated.get(kind, ())])
        sections.append(Section(len(sections), kind, section_kinds()[kind].title, text))
    # a fact may change while its sentence stays ("warning" becomes "critical"): that is a new version too
    facts = [repr((e.relation, e.objects, e.fields, e.citations)) for e in monograph.entries]
    body = "\x00".join([*(s.text for s in sections), *facts])
    digest = hashlib.sha256(body.encode()).hexdigest()
    title = f"{monograph.concept.display}: our statements"
    slug = monograph.concept.id.replace(":", "-")
    document = Document(f"monograph-{slug}", digest[:12], KIND, "en", title, digest, tuple(sections))
    return document, at
