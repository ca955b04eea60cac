"""Twenty well-known pairs: as generics, as brands with strength, in Dutch, and with a slip in one name."""

from __future__ import annotations

import pytest

from tests.conftest import Audit

#: one, other, their brands, their Dutch names
PAIRS = (
    ("sildenafil", "nitroglycerin", "Viagra 50 mg tab", "Nitrostat 0.4 mg SL tablet", "sildenafil", "nitroglycerine"),
    ("simvastatin", "itraconazole", "Zocor 40 mg", "Sporanox 100 mg capsule", "simvastatine", "itraconazol"),
    ("simvastatin", "clarithromycin", "Zocor 40 mg", "Biaxin 500 mg", "simvastatine", "claritromycine"),
    ("phenelzine", "fluoxetine", "Nardil 15 mg", "Prozac 20 mg", "fenelzine", "fluoxetine"),
    ("methotrexate", "trimethoprim", "Trexall 10 mg", "Primsol 50 mg/5 mL", "methotrexaat", "trimethoprim"),
    ("warfarin", "aspirin", "Coumadin 5 mg tab", "Ecotrin 81 mg", "warfarine", "acetylsalicylzuur"),
    ("warfarin", "fluconazole", "Coumadin 5 mg tab", "Diflucan 150 mg", "warfarine", "fluconazol"),
    ("colchicine", "clarithromycin", "Colcrys 0.6 mg", "Biaxin 500 mg", "colchicine", "claritromycine"),
    ("tizanidine", "ciprofloxacin", "Zanaflex 4 mg", "Cipro 500 mg", "tizanidine", "ciprofloxacine"),
    ("ergotamine", "ritonavir", "Ergomar 2 mg", "Norvir 100 mg", "ergotamine", "ritonavir"),
    ("pimozide", "clarithromycin", "Orap 2 mg", "Biaxin 500 mg", "pimozide", "claritromycine"),
    ("dofetilide", "verapamil", "Tikosyn 500 mcg", "Calan SR 240 mg", "dofetilide", "verapamil"),
    ("spironolactone", "potassium chloride", "Aldactone 25 mg", "Klor-Con 20 mEq", "spironolacton", "kaliumchloride"),
    ("azathioprine", "allopurinol", "Imuran 50 mg", "Zyloprim 300 mg", "azathioprine", "allopurinol"),
    ("thioridazine", "paroxetine", "Mellaril 50 mg", "Paxil 20 mg", "thioridazine", "paroxetine"),
    ("triazolam", "ketoconazole", "Halcion 0.25 mg", "Nizoral 200 mg tablet", "triazolam", "ketoconazol"),
    ("ivabradine", "diltiazem", "Corlanor 5 mg", "Cardizem CD 240 mg", "ivabradine", "diltiazem"),
    ("lithium", "lisinopril", "Lithobid 300 mg", "Zestril 10 mg", "lithium", "lisinopril"),
    ("amiodarone", "simvastatin", "Pacerone 200 mg", "Zocor 40 mg", "amiodaron", "simvastatine"),
    ("clopidogrel", "omeprazole", "Plavix 75 mg", "Prilosec 20 mg", "clopidogrel", "omeprazol"),
)


def _swapped(name: str) -> str:
    """`name` with two neighbouring letters in its middle changed over."""
    middle = len(name) // 2
    return name[:middle] + name[middle + 1] + name[middle] + name[middle + 2 :]


def _forms() -> list[object]:
    forms: list[object] = []
    for one, other, brand, other_brand, dutch, other_dutch in PAIRS:
        for how, written in (
            ("generics", (one, other)),
            ("brands", (brand, other_brand)),
            ("Dutch", (dutch, other_dutch)),
            ("slip in the first", (_swapped(one), other)),
            ("slip in the second", (one, _swapped(other))),
        ):
            forms.append(pytest.param(written, {one, other}, id=f"{one}-{other}-{how}"))
    return forms


@pytest.mark.parametrize(("written", "drugs"), _forms())
def test_a_known_pair_is_a_warning_however_it_is_written(
    audit: Audit, written: tuple[str, str], drugs: set[str]
) -> None:
    report = audit(*({"drug": name} for name in written))
    assert any(drugs <= set(f.drugs) and f.tier >= 2 for f in report.findings)
