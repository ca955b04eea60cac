"""What stands in a question where the name of a medicine, food or herb would, and names nothing that is known here.

"Can I take zorbifexol with warfarin?" is no question about warfarin alone: an answer that passes over the word it could
not read looks like one about both. So such words are found by their place (`unread.toml`), and the answer says that
they were not assessed. A word of that place that the sources use is one of the language and no name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any

from pharmakon.model.concepts import fold, is_han
from pharmakon.model.question import Link
from pharmakon.model.tables import read_table

_SHORTEST = 4  #: letters of a Latin word that may be a name
#: Of any script but Chinese, whose words have no bounds: a name in letters that are not read here is unread as well.
_LETTER = r"[^\W\d_\u3400-\u9fff]"
#: A figure may begin a name ("5FU", "31mwarfarin"), where no unit stands behind it ("40mg").
_WORD = re.compile(rf"(?:\d+(?=[A-Z]{{2}}|{_LETTER}{{6}}))?{_LETTER}(?:{_LETTER}|[\d'-])*")
_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_MARK = "\N{OBJECT REPLACEMENT CHARACTER}"  #: stands for what was read


def unread(
    text: str, lang: str, links: Sequence[Link], rare: Callable[[Sequence[str]], Collection[str]]
) -> tuple[str, ...]:
    """The words of `text` that stand where a name would and that no link covers, each once, in their order.

    `links`: everything that was read, aside or not; `rare` chooses of some words those that the sources do not use.
    """
    if lang == "zh":
        names = list(dict.fromkeys(_han(text, links)))
        unheard = rare([n for n in names if n.isascii()])
        return tuple(n for n in names if not n.isascii() or n in unheard)
    words = [m for m in _WORD.finditer(text) if _may_name(m.group()) and not _covered(m, links)]
    unusual = {w for w in rare([m.group() for m in words]) if not _is_everyday(fold(w), lang)}
    marked = _marked(text, links, (m for m in words if m.group() in unusual))
    found = (m.group() for m in words if m.group() in unusual and _in_place(marked, m.start(), m.end(), lang))
    return tuple(dict.fromkeys(found))


def _may_name(word: str) -> bool:
    latin = all(c < "\u0250" for c in word)
    return len(word) >= _SHORTEST or word[0].isdigit() or (not latin and len(word) > 1)


def _is_everyday(folded: str, lang: str) -> bool:
    return folded in _everyday(lang) or folded.endswith(_works())


def unread_states(text: str, lang: str, links: Sequence[Link], figures: Collection[str]) -> tuple[str, ...]:
    """What somebody is said to have, of which no word was read: "a patient with Brugada".

    `figures`: the words that say something of the person, which are read elsewhere.
    """
    found: list[str] = []
    for match in _having(lang).finditer(text):
        state = match["state"].strip()
        read = any(k.start < match.end("state") and match.start("state") < k.end for k in links)
        said = any(words.casefold() in state.casefold() or state.casefold() in words.casefold() for words in figures)
        if state and not read and not said and sum(c.isalpha() for c in state) >= (2 if lang == "zh" else 3):
            found.append(state)
    return tuple(dict.fromkeys(found))


@cache
def _having(lang: str) -> re.Pattern[str]:
    data = _data()
    has, ends = "|".join(data["has"][lang]), "|".join(data["ends"][lang])
    if lang == "zh":
        return re.compile(f"(?:{has})(?P<state>[^，。、；？！?,.;]{{2,12}}?)(?={ends}|[，。、；？！?,.;]|$)")
    determiners = rf"(?:(?:{'|'.join(data['determiners']['words'])})\s+)*"
    state = rf"(?P<state>[^,.;:?!]{{3,40}}?)(?=\s+(?:{ends})\b|\s*(?:[,.;:?!]|$))"
    return re.compile(rf"\b(?:{has})\s+{determiners}{state}", re.IGNORECASE)


def _covered(match: re.Match[str], links: Iterable[Link]) -> bool:
    return any(link.start < match.end() and match.start() < link.end for link in links)


def _marked(text: str, links: Iterable[Link], words: Iterable[re.Match[str]]) -> str:
    """`text` of the same length, with a mark wherever something stands that may be taken."""
    marked = list(text)
    for start, end in (*((k.start, k.end) for k in links), *(m.span() for m in words)):
        marked[start:end] = _MARK * (end - start)
    return "".join(marked)


def _in_place(marked: str, start: int, end: int, lang: str) -> bool:
    before, behind = marked[:start], marked[end:]
    places = _places(lang)
    return bool(
        places["taken"].search(before)
        or places["subject"].search(before)
        or places["joined_before"].search(before)
        or places["joined_behind"].match(behind)
    )


def _han(text: str, links: Sequence[Link]) -> Iterator[str]:
    marked = _marked(text, links, ())
    for match in _places("zh")["taken"].finditer(marked):
        found = next(group for group in match.groups() if group)
        name = found.removeprefix(counted[0]) if (counted := _counted().match(found)) else found
        stem = re.sub(f"(?:{'|'.join(_data()['zh']['forms'])})$", "", name)
        phrase = any(part in stem for part in _data()["zh"]["none"])
        stem = stem.removesuffix("能")
        if phrase or _says_nothing().fullmatch(stem) or not {fold(name), fold(stem)}.isdisjoint(_everyday("zh")):
            continue
        if (len(stem) >= 2 and any(map(is_han, stem))) or (stem.isascii() and stem.isalpha() and _may_name(stem)):
            yield name


@cache
def _counted() -> re.Pattern[str]:
    return re.compile(_data()["zh"]["counts"])


@cache
def _says_nothing() -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(sorted(_data()['zh']['empty'], key=len, reverse=True))})*")


@cache
def _works() -> tuple[str, ...]:
    return tuple(fold(ending) for ending in _data()["people"]["endings"])


@cache
def _places(lang: str) -> dict[str, re.Pattern[str]]:
    data = _data()
    if lang == "zh":
        name, ends = f"([{_HAN}A-Za-z0-9]{{2,10}}?)", "|".join(data["zh"]["ends"])
        joiners, takers = "|".join(data["joiners"]["zh"]), "|".join(data["zh"]["takers"])
        asks = "(?:能不能|能|可以|可否|会)?"
        return {
            "taken": re.compile(
                f"(?<={_MARK})(?:{asks})(?:{joiners}){name}(?={ends}|$)"
                f"|^{name}(?=(?:{joiners})[{_HAN}]{{2,8}}{asks}(?:一起|同时|合用))"
                f"|^[{_HAN}]{{2,8}}?(?:{joiners}){name}(?={asks}(?:一起|同时|合用))"
                f"|(?:^|[，。、；]|还){name}(?={asks}(?:{joiners}){_MARK})"
                f"|(?:{takers}){name}(?={ends}|$)"
                f"|(?:^|[，。；]){name}(?=(?:能|可以)(?:不能|不可以)?(?:吃|喝|用|服)?{_MARK})"
            )
        }
    determiners = rf"(?:(?:{'|'.join(data['determiners']['words'])})\s+)*"
    forms = rf"(?:\s+(?:{'|'.join(data['forms']['words'])}))?"
    joiners = rf"(?:[+/&,]|\b(?:{'|'.join(data['joiners'][lang])})\b)"
    compiled = {
        "taken": rf"\b(?:{'|'.join(data['takers'][lang])})\s+{determiners}$",
        "subject": rf"(?:^|[.!?;,:]\s*)(?:{'|'.join(data['subjects'][lang])})\s+{determiners}$",
        "joined_before": rf"{_MARK}{forms}\s*{joiners}\s*{determiners}$",
        "joined_behind": rf"{forms}\s*(?:together\s+|samen\s+)?{joiners}\s*{determiners}{_MARK}",
    }
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in compiled.items()}


@cache
def _everyday(lang: str) -> frozenset[str]:
    data = _data()
    around = (data[part].get(lang, ()) for part in ("takers", "subjects", "joiners"))
    beside = " ".join((*chain.from_iterable(around), *data["determiners"]["words"], *data["forms"]["words"]))
    return frozenset(map(fold, (*data["everyday"][lang], *_WORD.findall(beside))))


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.retrieve", "unread.toml")
