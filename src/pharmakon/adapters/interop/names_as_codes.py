"""A name that is, or holds, a code: "N18.4", "ICD-10 N18.4", "585.4", "709044004", "CKD stage 4 (N18.4)"."""

from __future__ import annotations

import re

from pharmakon.model.concepts import Code
from pharmakon.model.prescription import Text

#: without a dot the third sign has to be a figure, or "T2D" and "H1N1" would be codes
_ICD10 = r"[A-Z]\d(?:[0-9A-Z]\.[0-9A-Z]{1,4}|\d[0-9A-Z]{0,4})"
_ICD9 = r"(?:\d{3}|V\d{2}|E\d{3})(?:\.\d{1,2})?"
_PREFIX = re.compile(
    r"\s*(?:(?P<icd10>icd[\s_-]*10(?:[\s_-]*(?:cm|gm|nl|who))?)|(?P<icd9>icd[\s_-]*9(?:[\s_-]*cm)?)"
    r"|(?P<snomed>snomed(?:[\s_-]*ct)?|sctid|sct))\s*(?:code)?\s*[:=#-]?\s*(?P<rest>\S.*)",
    re.IGNORECASE,
)
#: what a bare text has to look like to be a code of the system; undotted ones as registers write them (N184, 5854)
_BARE = (
    ("icd10", re.compile(_ICD10, re.IGNORECASE)),
    ("snomed", re.compile(r"\d{6,18}")),
    ("icd9", re.compile(rf"{_ICD9}|\d{{4,5}}")),
)
_NAMED = {
    "icd10": re.compile(_ICD10, re.IGNORECASE),
    "icd9": re.compile(rf"{_ICD9}|\d{{4,5}}|V\d{{3,4}}|E\d{{4}}", re.IGNORECASE),
    "snomed": re.compile(r"\d{6,18}"),
}
#: a dotted ICD-10 code before or behind a name, set off by brackets, a colon or a dash
_BESIDE = (
    re.compile(r"(?P<code>[A-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4})\s*[:,–—-]?\s+(?P<name>\D.*)", re.IGNORECASE),
    re.compile(r"(?P<name>.*\S)\s*[(\[（](?P<code>[^()\[\]（）]+)[)\]）]", re.IGNORECASE),
)


def with_codes(name: Text) -> Text:
    """`name` with the code that its text is or holds; unchanged where it brought codes or holds none.

    >>> with_codes(Text("ICD-10 N18.4")).codes
    (Code(system='icd10', value='N18.4', prefix=False),)
    """
    if name.codes:
        return name
    text = name.text.strip()
    found = _whole(text)
    if found is not None:
        return Text(name.text, (found,))
    for pattern in _BESIDE:
        match = pattern.fullmatch(text)
        code = _beside(match["code"]) if match else None
        if match and code is not None:
            return Text(match["name"].strip(), (code,))
    return name


def _beside(text: str) -> Code | None:
    """A code in brackets has to say its system or be dotted, or it could be any remark."""
    dotted = re.fullmatch(r"[A-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}", text.strip(), re.IGNORECASE)
    return _whole(text.strip()) if dotted or _PREFIX.fullmatch(text) else None


def _whole(text: str) -> Code | None:
    said = _PREFIX.fullmatch(text)
    if said:
        system = next(s for s in ("icd10", "icd9", "snomed") if said[s])
        value = said["rest"].strip().rstrip(".")
        return _coded(system, value) if _NAMED[system].fullmatch(value) else None
    return next((_coded(system, text) for system, shape in _BARE if shape.fullmatch(text)), None)


def _coded(system: str, value: str) -> Code:
    written = value.upper()
    if system == "icd9" and "." not in written and len(written) > 3 and written[0] != "E":
        written = f"{written[:3]}.{written[3:]}"
    return Code(system, written)
