"""Small labels in SPL for tests, put together from their parts as text."""

from __future__ import annotations

from datetime import date

from pharmakon.ingest.formats.spl import read_spl
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.documents import Section

LOINC = "2.16.840.1.113883.6.1"
UNII = "2.16.840.1.113883.4.9"
NDC = "2.16.840.1.113883.6.69"
NCI = "2.16.840.1.113883.3.26.1.1"
SET_ID = "5e0d7d2e-0000-4000-8000-00000000abcd"
TODAY = date(2026, 3, 1)


def section(code: str, title: str | None = None, text: str | None = None, *inner: str, extra: str = "") -> str:
    """A section in its component; `extra` is XML beside its text (an excerpt, a subject)."""
    parts = [
        f'<code code="{code}" codeSystem="{LOINC}"/>' if code else "",
        "" if title is None else f"<title>{title}</title>",
        "" if text is None else f"<text>{text}</text>",
        extra,
        *inner,
    ]
    return f"<component><section>{''.join(parts)}</section></component>"


def excerpt(text: str) -> str:
    return f"<excerpt><highlight><text>{text}</text></highlight></excerpt>"


def p(*texts: str) -> str:
    return "".join(f"<paragraph>{text}</paragraph>" for text in texts)


def label(
    *sections: str,
    code: str = "34391-3",
    title: str = "<title>Alphadol tablets</title>",
    head: str = '<effectiveTime value="20240616"/>',
    ids: str = f'<id root="0D"/><setId root="{SET_ID}"/><versionNumber value="3"/>',
    products: str = "",
) -> bytes:
    """A label with these sections; `products` are subjects of its data elements."""
    data = section("48780-1", extra=products) if products else ""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><document xmlns="urn:hl7-org:v3">{ids}<code code="{code}" '
        f'codeSystem="{LOINC}"/>{title}{head}<component><structuredBody>{data}{"".join(sections)}'
        "</structuredBody></component></document>"
    ).encode()


def read(*sections: str, products: str = "") -> Incoming:
    return read_spl(label(*sections, products=products), "a.xml", TODAY)


def sections(*given: str) -> list[Section]:
    return list(read(*given).document.sections)


def only(*given: str) -> Section:
    (found,) = sections(*given)
    return found


def lines(text: str) -> list[str]:
    """The lines that the text of a section is read as."""
    return only(section("34067-9", "Uses", text)).text.split("\n")


def ingredient(
    name: str, cls: str = "ACTIB", unii: str = "U1", moiety: str = "", amount: str = "", per: str = "1"
) -> str:
    """An ingredient; `amount` and `per` as value and unit ("5 mg", "5 mL", "1")."""
    coded = f'<code code="M-{unii}" codeSystem="{UNII}"/>'
    inside = f"<activeMoiety><activeMoiety>{coded}<name>{moiety}</name></activeMoiety></activeMoiety>"
    strength = f"<quantity>{_quantity('numerator', amount)}{_quantity('denominator', per)}</quantity>" if amount else ""
    return (
        f'<ingredient classCode="{cls}">{strength}<ingredientSubstance><code code="{unii}" codeSystem="{UNII}"/>'
        f"<name>{name}</name>{inside if moiety else ''}</ingredientSubstance></ingredient>"
    )


def _quantity(element: str, written: str) -> str:
    value, _, unit = written.partition(" ")
    return f'<{element} value="{value}" unit="{unit or 1}"/>'


def route(name: str, code: str = "") -> str:
    return (
        f'<consumedIn><substanceAdministration><routeCode code="{code}" codeSystem="{NCI}" displayName="{name}"/>'
        "</substanceAdministration></consumedIn>"
    )


def marketing(status: str = "active", high: str = "") -> str:
    end = f'<high value="{high}"/>' if high else ""
    return (
        f'<subjectOf><marketingAct><statusCode code="{status}"/><effectiveTime><low value="20010101"/>{end}'
        "</effectiveTime></marketingAct></subjectOf>"
    )


def thing(name: str, *inside: str, form: str = "TABLET", ndc: str = "", generic: str = "") -> str:
    """What stands inside a product role or a part: name, form, ingredients, packages."""
    return (
        (f'<code code="{ndc}" codeSystem="{NDC}"/>' if ndc else "")
        + f'<name>{name}</name><formCode code="C" codeSystem="{NCI}" displayName="{form}"/>'
        + (
            f"<asEntityWithGeneric><genericMedicine><name>{generic}</name></genericMedicine></asEntityWithGeneric>"
            if generic
            else ""
        )
        + "".join(inside)
    )


def product(inside: str, *beside: str, tag: str = "manufacturedProduct") -> str:
    """A product of the data elements: `inside` is what it is, `beside` its routes and its marketing."""
    return f"<subject><manufacturedProduct><{tag}>{inside}</{tag}>{''.join(beside)}</manufacturedProduct></subject>"


def part(inside: str, *beside: str) -> str:
    return f"<part><partProduct>{inside}</partProduct>{''.join(beside)}</part>"


def package(code: str, *inside: str, tag: str = "containerPackagedProduct") -> str:
    coded = f'<code code="{code}" codeSystem="{NDC}"/>' if code else ""
    return f"<asContent><{tag}>{coded}{''.join(inside)}</{tag}></asContent>"
