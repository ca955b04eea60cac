"""What a label says its own drug is to others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pharmakon.extract.specialists.role import Role
from tests.unit.extract.reading import claims, label, sentences


def roles(text: str, subject: str, kind: str = "interactions") -> set[str]:
    return {str(c.statement.object) for c in claims(Role(), text, kind, subject)}


@pytest.mark.parametrize(
    ("text", "subject", "expected"),
    [
        ("Ketoconazole is a strong inhibitor of CYP3A4.", "ketoconazole", "class:strong-cyp3a4-inhibitor"),
        ("Ritonavir is a potent inhibitor of cytochrome P450 3A4.", "ritonavir", "class:strong-cyp3a4-inhibitor"),
        ("Diltiazem is a moderate CYP3A4 inhibitor.", "diltiazem", "class:moderate-cyp3a4-inhibitor"),
        ("Fluoxetine inhibits the activity of CYP2D6.", "fluoxetine", "class:cyp2d6-inhibitor"),
        ("Rifampin is a potent inducer of CYP2C9 and CYP3A4.", "rifampin", "class:strong-cyp3a4-inducer"),
        ("Rifampin is a potent inducer of CYP2C9 and CYP3A4.", "rifampin", "class:cyp2c9-inducer"),
        ("Simvastatin is a substrate of CYP3A4.", "simvastatin", "class:cyp3a4-substrate"),
        ("Theophylline is metabolized by CYP1A2.", "theophylline", "class:cyp1a2-substrate"),
        ("Triazolam undergoes extensive metabolism by CYP3A4.", "triazolam", "class:cyp3a4-substrate"),
        ("Digoxin is a substrate for P-glycoprotein.", "digoxin", "class:p-gp-substrate"),
        ("Citalopram causes dose-dependent QT prolongation.", "citalopram", "effect:qt-prolongation"),
        ("Sotalol can cause torsade de pointes.", "sotalol", "effect:qt-prolongation"),
        ("QT prolongation has been reported in patients treated with haloperidol.", "haloperidol",
         "effect:qt-prolongation"),
        ("Reports of QT prolongation, some fatal, have been received.", "sevoflurane", "effect:qt-prolongation"),
        ("Do not combine it with other MAO inhibitors.", "tranylcypromine", "class:maoi"),
        ("As rifampin has some monoamine oxidase inhibitory activity, fluoxetine is to be avoided.", "rifampin",
         "class:maoi"),
        ("Phenelzine should not be taken with other MAO inhibitors.", "phenelzine", "class:maoi"),
    ],
)  # fmt: skip
def test_a_role_of_the_labels_drug_is_read(text: str, subject: str, expected: str) -> None:
    assert expected in roles(text, f"ingredient:{subject}")


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Metformin is not an inhibitor of CYP3A4.", "metformin"),
        ("In vitro, linagliptin is a weak inhibitor of CYP3A4.", "linagliptin"),
        ("Atorvastatin does not inhibit CYP2D6.", "atorvastatin"),
        ("Avoid simvastatin with strong inhibitors of CYP3A4.", "simvastatin"),
        ("Ketoconazole, a strong inhibitor of CYP3A4, raised the levels of tolvaptan.", "tolvaptan"),
        ("Solifenacin did not prolong the QT interval.", "solifenacin"),
        ("Ranitidine is a weak inhibitor of CYP3A4.", "ranitidine"),
        ("Do not give meperidine with phenelzine or other MAO inhibitors.", "meperidine"),
        ("Reports of QT prolongation with sotalol have been received.", "furosemide"),
        ("Isoniazid has some monoamine oxidase inhibiting activity.", "isoniazid"),
        ("Use with other MAOI's, such as linezolid, needs care.", "imipramine"),
        ("Exposure rises when it is used with other strong CYP3A4 inhibitors.", "simvastatin"),
        ("Examples: Other MAO inhibitors, triptans and opioids.", "imipramine"),
        ("One patient required other MAO inhibitors.", "imipramine"),
        ("It must not be given to those with an allergy to other penicillins.", "simvastatin"),
    ],
)
def test_what_is_denied_or_said_of_another_drug_is_no_role(text: str, subject: str) -> None:
    assert roles(text, f"ingredient:{subject}") == set()


def test_the_place_that_speaks_of_the_role_is_marked() -> None:
    text = "It is white. Theophylline is metabolized by CYP1A2."
    (claim,) = claims(Role(), text, "pharmacology", "ingredient:theophylline")
    (spoken,) = claim.spoken
    assert text[spoken.start : spoken.end] == spoken.text
    assert claim.start <= spoken.start < spoken.end <= claim.end


def test_it_is_silent_on_what_has_been_written_by_hand() -> None:
    context = label("ingredient:ketoconazole")
    written = replace(context, written=frozenset(context.subjects))
    found = sentences("Ketoconazole is a strong inhibitor of CYP3A4.", "interactions")
    assert [r.claims for r in Role().read(found, context)] != [()]
    assert [r.claims for r in Role().read(found, written)] == [()]


def test_a_label_of_two_drugs_does_not_say_whose_role_it_is() -> None:
    text = "Ritonavir is a potent inhibitor of CYP3A4."
    assert claims(Role(), text, "interactions", "ingredient:lopinavir", "ingredient:ritonavir") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Avoid vandetanib with drugs known to prolong the QT interval.", 1),
        ("QT-prolonging drugs should not be given with vandetanib.", 1),
        ("Vandetanib can prolong the QT interval.", 0),
    ],
)
def test_the_advice_against_a_second_drug_of_the_same_effect_is_a_limit_on_their_number(
    text: str, expected: int
) -> None:
    found = [c.statement for c in claims(Role(), text, "warnings", "ingredient:vandetanib")]
    limits = [s for s in found if s.relation == "burden_limit"]
    assert [(s.subject, str(s.limit)) for s in limits] == [("effect:qt-prolongation", "2 drugs per day")] * expected


def test_under_a_heading_of_other_drugs_they_are_other_than_those_of_the_heading_before() -> None:
    text = "Use it with care beside other MAO inhibitors."
    assert roles(text, "ingredient:phenelzine") == {"class:maoi"}
    assert claims(Role(), text, "interactions", "ingredient:phenelzine", heading="7.4 Other MAO inhibitors") == []
