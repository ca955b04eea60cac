"""The audit's sentences in the reader's language."""

from __future__ import annotations

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.ask.wording import Localiser
from pharmakon.ask.words import Words


@pytest.mark.parametrize(
    ("lang", "text", "told"),
    [
        ("nl", "codeïne vraagt voorzichtigheid: breastfeeding", "codeïne vraagt voorzichtigheid: borstvoeding"),
        ("nl", "age 84 (>= 65)", "leeftijd 84 (≥ 65)"),
        ("nl", "de allergie voor penicillin kan zich", "de allergie voor penicilline kan zich"),
        ("nl", "creatinine clearance 25 mL/min (>= 15)", "nierfunctie (creatinineklaring) 25 mL/min (≥ 15)"),
        ("nl", "no atrial fibrillation", "geen atriumfibrilleren"),
        ("nl", "ze zijn allebei non-selective NSAID", "ze zijn allebei niet-selectieve NSAID"),
        ("zh", "左甲状腺素与 calcium supplement 合用", "左甲状腺素与钙补充剂合用"),
        ("zh", "年龄 > 65 years", "年龄 > 65岁"),
        ("zh", "头孢氨苄：penicillin 过敏可能交叉累及", "头孢氨苄：青霉素类过敏可能交叉累及"),
        ("zh", "end-stage renal disease", "终末期肾病"),
        ("zh", "losartan and hydrochlorothiazide", "氯沙坦钾氢氯噻嗪"),
        ("zh", "cattle gallstone (niuhuang)", "牛黄"),
        ("zh", "daily dose ≥ 2000 mg/day", "日剂量 ≥ 2000 mg/天"),
        ("en", "age 84 (>= 65)", "age 84 (>= 65)"),
    ],
)  # fmt: skip
def test_what_has_a_name_in_the_language_is_called_by_it(pharmakon: Pharmakon, lang: str, text: str, told: str) -> None:
    assert Localiser({}, pharmakon.knowledge, Words(lang))(text) == told


def test_a_concept_without_a_name_there_keeps_its_own(pharmakon: Pharmakon) -> None:
    assert Localiser({}, pharmakon.knowledge, Words("zh"))("potassium channel") == "potassium channel"
