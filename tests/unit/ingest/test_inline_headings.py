"""Headings inside running text."""

from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ingest.formats.inline_headings import heading_end, named, numbered, precaution_code, repeated

SECTION = (
    "5 WARNINGS Liver ( 5.1 ), falls [see 5.2 Falls]. 5.1 Liver Damage Cases of damage were seen in 5.5 Percent. "
    "5.2 Falls Patients may fall. 5.3 Rash Rash was common."
)


def headings(text: str, number: str = "5") -> list[str]:
    return [cut.heading for cut in numbered(text, number)]


def test_numbers_in_their_order_are_headings() -> None:
    assert headings(SECTION) == ["5.1 Liver Damage", "5.2 Falls", "5.3 Rash"]


def test_a_number_in_brackets_is_a_reference() -> None:
    assert all(SECTION[cut.start - 4 : cut.start] != "see " for cut in numbered(SECTION, "5"))


def test_a_figure_out_of_order_is_no_heading() -> None:
    assert headings("A mean of 5.4 Units was given. 5.1 Falls Patients may fall.") == ["5.1 Falls"]


def test_a_dose_is_no_heading() -> None:
    assert headings("Give 2.5 mg, then 2.1 mg daily.", "2") == []


def test_a_heading_whose_end_is_not_certain_stays_in_the_text() -> None:
    text = "7.1 Strong Inhibitors Ketoconazole Itraconazole raise levels. 7.2 Inducers Avoid them."
    first, second = numbered(text, "7")
    assert (first.title, text[first.text :].startswith("Strong Inhibitors")) == ("", True)
    assert second.title == "Inducers"


def test_the_drugs_own_name_begins_a_sentence() -> None:
    text = "5.1 Bone Marrow Damage Examplin can damage the marrow."
    (cut,) = numbered(text, "5", names=["EXAMPLIN"])
    assert cut.title == "Bone Marrow Damage"


def test_a_word_in_capitals_before_a_new_sentence_ends_the_heading() -> None:
    text = "Dosage in Adult Patients For adults the dose is one tablet."
    assert text[: heading_end(text)] == "Dosage in Adult Patients "


def test_words_in_brackets_do_not_tell_where_a_heading_ends() -> None:
    text = "Dosing in Young Patients (10 to 17 years of age) The recommended dose is one tablet."
    assert text[: heading_end(text)] == "Dosing in Young Patients (10 to 17 years of age) "


def test_what_was_said_before_word_for_word_is_a_repetition() -> None:
    text = "5.1 Falls Patients may fall. 5.2 Rash Rash occurs. 5.1 Falls Patients may fall."
    assert [text[start:end] for start, end in repeated(text, "5")] == ["5.1 Falls Patients may fall."]


def test_a_repetition_that_says_more_is_none() -> None:
    assert repeated("5.1 Falls Patients fall. 5.2 Rash Rash occurs. 5.1 Falls Old patients fall.", "5") == []


def test_the_headings_of_old_precautions_bring_their_codes() -> None:
    text = "Use with care. Drug Interactions: Examplin adds up. Nursing Mothers Examplin is in milk."
    assert [(cut.heading, cut.code) for cut in named(text)] == [
        ("Drug Interactions", "34073-7"),
        ("Nursing Mothers", "34080-2"),
    ]


def test_a_reference_to_precautions_is_no_heading() -> None:
    assert named("Watch the pulse (see Drug Interactions and Nursing Mothers).") == []


def test_a_heading_of_precautions_is_known_in_any_case() -> None:
    assert precaution_code("DRUG INTERACTIONS:") == "34073-7"


@given(st.text(alphabet="57.123 ABab().\n", max_size=120), st.sampled_from(["5", "7", "1.2"]))
def test_cuts_follow_one_another_inside_the_text(text: str, number: str) -> None:
    cuts = numbered(text, number)
    places = [place for cut in cuts for place in (cut.start, cut.text)]
    assert places == sorted(places)
    assert all(text.startswith(number, cut.start) and cut.text <= len(text) for cut in cuts)


@given(
    st.lists(
        st.sampled_from(["Drug", "Falls", "Patients", "may", "the", "(5.1)", "Severe", "fall.", "and"]), max_size=12
    )
)
def test_the_end_of_a_heading_is_the_beginning_of_a_word(words: list[str]) -> None:
    text = " ".join(words)
    end = heading_end(text)
    assert end == 0 or text[end - 1] == " "
