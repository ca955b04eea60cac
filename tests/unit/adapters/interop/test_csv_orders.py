"""CSV by a mapping: one prescription per group."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from pharmakon.adapters.interop.csv_mapping import load_mapping, read_mapping
from pharmakon.adapters.interop.csv_orders import read_csv
from pharmakon.model.concepts import Code
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Amount, Prescription

TODAY = date(2026, 6, 1)
MAPPING = """
[file]
group = "stay"
epoch = 2000-01-01
[patients]
file = "people.csv"
key = "stay"
[order]
drug = { text = "{name} {strength}" }
codes = [{ column = "ndc", system = "ndc", skip = ["0"] }]
dose = [{ amount = "dose", unit = "unit" }, { amount = "pieces", unit = "form" }]
route = { column = "way", values = { PO = "oral" } }
start = "from"
end = "to"
status = { const = "active" }
note = "type"
[patient]
age = "age"
sex = { column = "sex", values = { F = "female", M = "male" } }
conditions = { column = "icd9", split = " ", system = "icd9" }
"""
HEADER = "stay,name,strength,ndc,dose,unit,pieces,form,way,from,to,type\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text("stay,age,sex,icd9\n1,83,F,0389 5845\n2,,M,\n", "utf-8")
    (tmp_path / "map.toml").write_text(MAPPING, "utf-8")
    return tmp_path


def read(folder: Path, rows: str) -> dict[str, Prescription | BadInput]:
    return dict(read_csv(HEADER + rows, load_mapping(folder / "map.toml"), name="o.csv", today=TODAY))


def only(folder: Path, row: str) -> Prescription:
    (found,) = read(folder, row).values()
    assert isinstance(found, Prescription)
    return found


def test_each_group_is_a_prescription_with_its_patient(folder: Path) -> None:
    found = read(
        folder,
        "1,Senna,8.6mg,123,1,TAB,,,PO,0,4,MAIN\n2,Heparin,,0,5000,UNIT,,,SC,-9,,BASE\n1,Warfarin,5mg,5,5,mg,,,PO,1,4,MAIN\n",
    )
    one, two = found["1"], found["2"]
    assert isinstance(one, Prescription)
    assert isinstance(two, Prescription)
    assert [o.drug.text for o in one.orders] == ["Senna 8.6mg", "Warfarin 5mg"]
    assert (one.patient.age, one.patient.sex) == ((83, 83), "female")
    assert one.patient.conditions is not None
    assert [c.name.codes for c in one.patient.conditions] == [(Code("icd9", "0389"),), (Code("icd9", "5845"),)]
    assert (two.patient.age, two.patient.sex, two.patient.conditions) == (None, "male", None)
    order = one.orders[0]
    assert (order.drug.codes, order.route, order.start) == ((Code("ndc", "123"),), "oral", date(2000, 1, 1))
    assert order.source == "o.csv, line 2 (MAIN)"
    assert two.orders[0].drug.codes == ()
    assert two.orders[0].route == "SC"
    assert one.as_of == date(2000, 1, 2)


@pytest.mark.parametrize(
    ("cells", "dose"),
    [
        ("325-650,mg,1,TAB", Amount(325, 650, "mg")),
        ("10,", None),
        ('"25,000",UNIT,,', Amount(25000, 25000, "UNIT")),
        ("1-2mg,mg,,", Amount(1, 2, "mg")),
        ("0,mL,1,BAG", Amount(1, 1, "BAG")),
        ("0,mL,0,BAG", None),
        (",,2,TAB", Amount(2, 2, "TAB")),
    ],
)
def test_a_dose_is_the_first_that_can_be_read(folder: Path, cells: str, dose: Amount | None) -> None:
    padded = cells if cells.count(",") >= 3 else cells + ",,"
    assert only(folder, f"1,Senna,,0,{padded},PO,0,4,MAIN\n").orders[0].dose == dose


def test_a_dose_in_words_is_kept_as_a_direction_and_said(folder: Path) -> None:
    found = only(folder, "1,Insulin,,0,sliding scale,UNIT,,,SC,0,4,MAIN\n")
    assert found.orders[0].sig == "sliding scale UNIT"
    assert "1 of 1 orders: the dose can't be read" in found.remarks[0]


def test_an_end_before_the_start_is_left_out_and_said(folder: Path) -> None:
    found = only(folder, "1,Senna,,0,1,TAB,,,PO,4,2,MAIN\n")
    assert found.orders[0].end is None
    assert "before the start" in found.remarks[0]


def test_a_group_without_a_patient_is_audited_as_unknown(folder: Path) -> None:
    found = only(folder, "9,Senna,,0,1,TAB,,,PO,0,4,MAIN\n")
    assert found.patient.age is None
    assert "no row for stay 9" in found.remarks[0]


def test_a_bad_cell_refuses_its_group_alone(folder: Path) -> None:
    found = read(folder, "1,Senna,,0,1,TAB,,,PO,monday,4,MAIN\n2,Senna,,0,1,TAB,,,PO,0,4,MAIN\n")
    assert str(found["1"]) == "o.csv, line 2: 'monday' is no date; expected a whole number of days"
    assert isinstance(found["2"], Prescription)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no header line"),
        (HEADER, "there is no order in it"),
        ("stay,name\n1,Senna\n", "no column 'strength', which map.toml names in order"),
        ("stay,stay\n1,1\n", "the column 'stay' stands twice"),
        (HEADER + "1,Senna\n", "o.csv, line 2: the row has 2 cells; expected 12"),
        (HEADER + '1,"Senna\n', "this is no CSV"),
    ],
)
def test_a_file_that_does_not_fit_is_told_so(folder: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        list(read_csv(text, load_mapping(folder / "map.toml"), name="o.csv", today=TODAY))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("[ordr]\n", "unknown key 'ordr'; expected order"),
        ("[order]\n", "no column is named for the drug"),
        ('[order]\ndrug = "a"\nrout = "b"\n', "unknown key 'rout'; expected route"),
        ("[order]\ndrug = 5\n", "5 is no rule"),
        ('[order]\ndrug = { column = "a", const = "b" }\n', "one of column, const or text"),
        ('[order]\ndrug = "a"\ncodes = [{ column = "b" }]\n', "a code needs both"),
        ('[order]\ndrug = "a"\n[patients]\nfile = "../x.csv"\nkey = "a"\n', "the second file is not named"),
        ('[order]\ndrug = "a"\n[patients]\nfile = "x.csv"\nkey = "a"\n', "x.csv is not there"),
        ('[file]\nmissing = "NULL"\n[order]\ndrug = "a"\n', "file.missing: this is no list"),
        ('[order]\ndrug = { column = "a", values = 5 }\n', "order.drug, values: this is no table"),
        ('[order]\ndrug = "a"\n[patient]\ncreatinine = "krea"\n', "patient.creatinine: the unit is missing"),
        (
            '[order]\ndrug = "a"\n[patient]\ncreatinine = { column = "k", unit = "furlong" }\n',
            "patient.creatinine, unit",
        ),
        ('[order]\ndrug = "a"\n[patient]\nage = { column = "k", unit = "years" }\n', "age, unit: this takes no unit"),
        ('[order]\ndrug = { column = "a", unit = "mg" }\n', "unknown key 'unit'"),
        ('[file]\ndelimiter = ";;"\n[order]\ndrug = "a"\n', "';;' is no delimiter"),
    ],
)
def test_a_mapping_that_does_not_fit_is_told_so(tmp_path: Path, toml: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_mapping(toml, name="map.toml", folders=[tmp_path])
    assert said in str(caught.value)


def test_a_mapping_that_is_no_toml_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text("[order", "utf-8")
    with pytest.raises(BadInput, match=r"m\.toml: this is no TOML"):
        load_mapping(tmp_path / "m.toml")
    with pytest.raises(BadInput, match="can't be read"):
        load_mapping(tmp_path / "none.toml")


def test_the_words_of_a_plain_form_mean_the_same_in_a_table(tmp_path: Path) -> None:
    toml = """
[order]
drug = "drug"
status = "status"
[patient]
conditions = { column = "problems", split = ";" }
allergies = { column = "allergies", split = ";" }
"""
    (tmp_path / "m.toml").write_text(toml, "utf-8")
    rows = "drug,status,problems,allergies\nwarfarin,active,N18.4; gout,lisinopril - cough; no penicillin allergy\n"
    rows += "digoxin,entered_in_error,,\n"
    ((_, found),) = read_csv(rows, load_mapping(tmp_path / "m.toml"), name="o.csv", today=TODAY)
    assert isinstance(found, Prescription)
    assert found.patient.conditions is not None
    assert [c.name.codes for c in found.patient.conditions] == [(Code("icd10", "N18.4"),), ()]
    assert found.patient.allergies is not None
    assert [(a.substance.text, a.reaction) for a in found.patient.allergies] == [("lisinopril", "cough")]
    assert "line 3: entered in error, not audited" in found.remarks
    assert any("no such allergy" in r for r in found.remarks)


ONE_FILE = """
[file]
group = "id"
[order]
drug = "drug"
[patient]
age = "age"
sex = { column = "sex", values = { F = "female", M = "male", X = "unknown" } }
pregnant = "pregnant"
conditions = { column = "problems", split = ";", none = ["none"] }
allergies = { column = "allergies", split = ";", none = ["none"] }
creatinine = { column = "krea", unit = "umol/L" }
inr = "inr"
notes = "remark"
"""
COLUMNS = ("id", "drug", "age", "sex", "pregnant", "problems", "allergies", "krea", "inr", "remark")


def one_file(*rows: dict[str, str]) -> dict[str, Prescription | BadInput]:
    lines = [",".join({"id": "1", "drug": "warfarin", **row}.get(c, "") for c in COLUMNS) for row in rows]
    mapping = read_mapping(ONE_FILE, name="m.toml", folders=[])
    return dict(read_csv("\n".join([",".join(COLUMNS), *lines]), mapping, name="o.csv", today=TODAY))


def patient_in(*rows: dict[str, str]) -> Prescription:
    (found,) = one_file(*rows).values()
    assert isinstance(found, Prescription), found
    return found


def test_conditions_and_allergies_of_every_row_of_a_group_count_once_each_in_order() -> None:
    patient = patient_in(
        {"problems": "gout", "allergies": ""},
        {"problems": "asthma; Gout", "allergies": "penicillin"},
        {"problems": "", "allergies": "aspirin;penicillin"},
    ).patient
    assert [c.name.text for c in patient.conditions or ()] == ["gout", "asthma"]
    assert [a.substance.text for a in patient.allergies or ()] == ["penicillin", "aspirin"]


def test_an_allergy_in_a_later_row_outweighs_none_in_an_earlier_and_that_is_said() -> None:
    found = patient_in({"allergies": "none"}, {"allergies": "penicillin"})
    assert [a.substance.text for a in found.patient.allergies or ()] == ["penicillin"]
    assert any(r.startswith("allergies: one row says that there are none") for r in found.remarks)
    assert patient_in({"allergies": "none"}, {}).patient.allergies == ()
    assert patient_in({}, {}).patient.allergies is None


def test_a_value_may_stand_in_any_row_of_its_group() -> None:
    patient = patient_in({"sex": "X"}, {"age": "81", "sex": "F"}, {"age": "81.0", "pregnant": "no"}).patient
    assert (patient.age, patient.sex, patient.pregnant) == ((81, 81), "female", False)


@pytest.mark.parametrize(
    ("column", "first", "second", "said"),
    [
        ("age", "70", "81", "o.csv: age (column age) is 70 in line 2 and 81 in line 4"),
        ("sex", "F", "M", "o.csv: sex (column sex) is female in line 2 and male in line 4"),
        ("pregnant", "no", "yes", "o.csv: pregnant (column pregnant) is no in line 2 and yes in line 4"),
        ("krea", "80", "300", "o.csv: creatinine (column krea) is 80 in line 2 and 300 in line 4"),
    ],
)
def test_two_rows_that_contradict_each_other_refuse_their_group_alone(
    column: str, first: str, second: str, said: str
) -> None:
    found = one_file({column: first}, {"id": "2", column: second}, {column: second})
    assert str(found["1"]) == f"{said}; expected one patient in all rows of a group"
    assert isinstance(found["2"], Prescription)


def test_two_rows_for_one_patient_in_the_second_file_are_put_together(folder: Path) -> None:
    (folder / "people.csv").write_text("stay,age,sex,icd9\n1,83,F,0389\n1,,F,5845\n2,70,M,\n2,71,M,\n", "utf-8")
    found = read(folder, "1,Senna,,0,1,TAB,,,PO,0,4,MAIN\n2,Senna,,0,1,TAB,,,PO,0,4,MAIN\n")
    assert isinstance(found["1"], Prescription)
    assert [c.name.codes[0].value for c in found["1"].patient.conditions or ()] == ["0389", "5845"]
    assert "people.csv: age (column age) is 70 in line 4 and 71 in line 5" in str(found["2"])


def test_a_laboratory_value_has_the_unit_of_the_mapping_and_a_note_is_kept() -> None:
    patient = patient_in({"krea": "141", "inr": "2.5", "remark": "on dialysis"}, {"remark": "tired"}).patient
    assert [(name, m.value, m.unit) for name, m in patient.labs] == [("creatinine", 141, "umol/L"), ("inr", 2.5, "1")]
    assert patient.notes == ("on dialysis", "tired")


def test_a_laboratory_value_that_no_living_patient_has_is_said_and_not_used() -> None:
    found = patient_in({"krea": "5"})
    assert found.patient.labs == ()
    assert any(r.startswith("creatinine 5 umol/L is implausible, not used") for r in found.remarks)
