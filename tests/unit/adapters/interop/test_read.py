"""One door for all forms, and batches line by line."""

from __future__ import annotations

import io
import json
from datetime import date
from pathlib import Path

import pytest

from pharmakon.adapters.interop.csv_mapping import load_mapping, read_mapping
from pharmakon.adapters.interop.read import Result, read_batch, read_prescription
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Prescription

from .bundles import bundle, request

TODAY = date(2026, 6, 1)
PLAIN = {"medications": [{"drug": "warfarin"}]}
CSV = '[order]\ndrug = "name"\n'


def read(value: object) -> Prescription:
    return read_prescription(json.dumps(value).encode(), name="in.json", today=TODAY)


def batch(data: bytes, cap: int = 1000) -> list[Result]:
    return list(read_batch(io.BytesIO(data), name="b.ndjson", today=TODAY, cap=cap))


def test_each_form_is_recognised_by_its_content() -> None:
    hooks = {"hook": "order-sign", "context": {"draftOrders": bundle(request())}}
    for value, source in [
        (PLAIN, ""),
        (bundle(request()), "MedicationRequest/m1"),
        (request(), "MedicationRequest/m1"),
        ([request()], "MedicationRequest/m1"),
        (hooks, "MedicationRequest/m1"),
    ]:
        assert read(value).orders[0].source == source


def test_a_csv_is_read_with_a_mapping_and_asks_for_one_without() -> None:
    mapping = read_mapping(CSV, name="m.toml", folders=[])
    found = read_prescription(b"name\nwarfarin\n", name="o.csv", today=TODAY, mapping=mapping)
    assert found.orders[0].drug.text == "warfarin"
    with pytest.raises(BadInput, match="needs a mapping"):
        read_prescription(b"name\nwarfarin\n", name="o.csv", today=TODAY)


def test_a_csv_of_several_prescriptions_asks_for_a_batch(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text('[file]\ngroup = "g"\n' + CSV, "utf-8")
    mapping = load_mapping(tmp_path / "m.toml")
    with pytest.raises(BadInput, match="it holds 2 prescriptions; expected one, or a batch"):
        read_prescription(b"g,name\n1,a\n2,b\n", name="o.csv", today=TODAY, mapping=mapping)
    results = list(read_batch(io.BytesIO(b"g,name\n1,a\n2,b\n"), name="o.csv", today=TODAY, mapping=mapping))
    assert [r.key for r in results] == ["1", "2"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<Bundle/>", "looks like XML"),
        (b"", "nothing in it"),
        (b"warfarin 5 mg", "this is no JSON"),
        (b"3", "this is a number"),
        (b'{"cards": []}', "unknown key 'cards'"),
        (b"x" * 2000, "too large"),
    ],
)
def test_what_is_none_of_them_is_told_so(data: bytes, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_prescription(data, name="in.json", today=TODAY, cap=1000)


def test_a_batch_gives_one_result_per_line_in_order() -> None:
    good = json.dumps(PLAIN).encode()
    results = batch(good + b'\n\n{"medications": []}\n  \r\n' + json.dumps(request()).encode() + b"\nnonsense")
    assert [(r.number, isinstance(r.value, Prescription)) for r in results] == [
        (1, True),
        (2, False),
        (3, False),
        (4, False),
        (5, True),
        (6, False),
    ]
    assert str(results[1].value) == "b.ndjson, line 2: the line is blank; expected one prescription per line"
    assert str(results[2].value).startswith("b.ndjson, line 3, medications: there is no medication")


def test_blank_lines_at_the_end_of_a_batch_give_nothing_and_at_its_start_a_complaint_each() -> None:
    good = json.dumps(PLAIN).encode()
    assert [r.number for r in batch(good + b"\n\n \r\n\n")] == [1]
    assert [(r.number, isinstance(r.value, BadInput)) for r in batch(b"\n\n" + good)] == [
        (1, True),
        (2, True),
        (3, False),
    ]


def test_a_line_that_is_too_long_is_skipped_and_the_next_is_read() -> None:
    good = json.dumps(PLAIN).encode()
    results = batch(b'"' + b"x" * 5000 + b'"\n' + good + b"\n")
    assert [(r.number, isinstance(r.value, Prescription)) for r in results] == [(1, False), (2, True)]
    assert "too large" in str(results[0].value)


def test_a_line_that_is_no_utf8_spoils_nothing_but_itself() -> None:
    results = batch(b'{"a": "\xff"}\n' + json.dumps(PLAIN).encode())
    assert "no UTF-8" in str(results[0].value)
    assert isinstance(results[1].value, Prescription)


def test_an_empty_stream_is_an_empty_batch() -> None:
    assert batch(b"") == []
    assert batch(b"\n\n") == []


def test_a_second_byte_order_mark_is_told_as_what_it_is() -> None:
    with pytest.raises(BadInput) as caught:
        read_prescription(b"\xef\xbb\xbf" * 2 + json.dumps(PLAIN).encode(), name="bom.json", today=TODAY)
    assert "bom.json: a second byte order mark" in str(caught.value)
    assert "utf-8-sig" not in str(caught.value)


@pytest.mark.parametrize("count", [501, 20_000])
def test_a_record_with_more_orders_than_a_person_can_have_is_refused(count: int) -> None:
    many = bundle(*(request(id=f"m{i}") for i in range(count)))
    with pytest.raises(BadInput, match=f"in.json, the record: {count} orders are too many for one prescription"):
        read(many)


def test_a_text_of_any_form_has_an_end() -> None:
    long = "x" * 2001
    with pytest.raises(BadInput, match=r"in.json, order 1, drug: the text is too long"):
        read(request(medicationCodeableConcept={"text": long}))
    with pytest.raises(BadInput, match=r"in.json, condition 1: the text is too long"):
        read(bundle(request(), {"resourceType": "Condition", "code": {"text": long}}))
    mapping = read_mapping(CSV, name="m.toml", folders=[])
    with pytest.raises(BadInput, match=r"o.csv, order 1, drug: the text is too long"):
        read_prescription(f"name\n{long}\n".encode(), name="o.csv", today=TODAY, mapping=mapping)
    results = list(read_batch(io.BytesIO(f"name\n{long}\n".encode()), name="o.csv", today=TODAY, mapping=mapping))
    assert isinstance(results[0].value, BadInput)
