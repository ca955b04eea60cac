"""A tiny knowledge base, written as monographs and stored as any other: enough for every builder to have work."""

from __future__ import annotations

from pathlib import Path

from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge, open_embedded
from pharmakon.extract.curated.monograph import change_set
from pharmakon.ingest.formats.monograph import read_monographs

MONOGRAPHS = """
concept: class:nsaid
names: {en: [NSAID]}
facts:
  - says: An allergy to one NSAID is a risk with every other NSAID.
    cross_reacts_with: class:nsaid
    management: Choose another analgesic.
    cite: pharmakon
  - says: Two of the NSAID class together add harm and no effect.
    interacts_with: class:nsaid
    management: Keep one of them.
    cite: pharmakon
---
concept: class:anticoagulant
names: {en: [anticoagulant]}
---
concept: disease:arthritis
names: {en: [arthritis], nl: [artritis]}
---
concept: disease:thrombosis
names: {en: [thrombosis]}
---
concept: disease:peptic-ulcer
names: {en: [peptic ulcer]}
---
concept: disease:urinary-infection
names: {en: [urinary infection]}
---
concept: effect:bleeding-risk
names: {en: [bleeding risk]}
facts:
  - says: From two drugs on the bleeding risk adds up.
    burden_limit: any
    from: 2 drugs per day
    cite: pharmakon
---
concept: lifestyle:alcohol
names: {en: [alcohol]}
---
concept: ingredient:brufen-like
depth: deep
names: {en: [alfaprofen], nl: [alfaprofeen]}
brands: [Alfadol]
sources:
  label: {title: Alfaprofen tablets - label, set_id: a1, read: yes}
facts:
  - says: Alfaprofen is an NSAID.
    belongs_to: class:nsaid
    cite: label pharmacology
  - says: Alfaprofen adds to the bleeding risk.
    has_effect: effect:bleeding-risk
    cite: label warnings
  - says: Alfaprofen treats arthritis.
    treats: disease:arthritis
    cite: label indications
  - says: Alfaprofen is taken by mouth (oral).
    given_by: oral
    cite: label dosage
  - says: Alfaprofen is at most 800 mg per dose, 2400 mg per day and 4 times per day.
    dose_limit: any
    limit: [800 mg per dose, 2400 mg per day, 4 times per day]
    cite: label dosage
  - says: Where creatinine clearance is below 60 mL/min alfaprofen is at most 1200 mg per day.
    dose_limit: any
    limit: 1200 mg per day
    when: crcl < 60 mL/min
    cite: label dosage
  - says: In arthritis, where creatinine clearance is below 60 mL/min, alfaprofen may go to 1800 mg per day.
    dose_limit: disease:arthritis
    limit: 1800 mg per day
    when: crcl < 60 mL/min
    cite: label dosage
  - says: Alfaprofen must not be used in a peptic ulcer.
    contraindicated_in: disease:peptic-ulcer
    tier: critical
    management: Choose another analgesic.
    cite: label contraindications
  - says: Alfaprofen must not be used where creatinine clearance is below 30 mL/min.
    contraindicated_in: any
    when: crcl < 30 mL/min
    tier: critical
    management: Choose another analgesic.
    cite: label contraindications
  - says: Alfaprofen must not be used in the third (3) trimester of pregnancy.
    contraindicated_in: any
    when: [pregnant, trimester is 3]
    tier: critical
    management: Choose another analgesic.
    cite: label contraindications
  - says: From 65 years on alfaprofen causes bleeding more often.
    requires_caution_with: any
    when: age >= 65 years
    tier: info
    management: Keep it short.
    cite: label warnings
  - says: Alcohol with alfaprofen irritates the stomach.
    interacts_with: lifestyle:alcohol
    tier: info
    management: Drink little.
    cite: label warnings
---
concept: ingredient:other-profen
depth: deep
names: {en: [betaprofen]}
sources:
  label: {title: Betaprofen tablets - label, set_id: b1, read: yes}
facts:
  - says: Betaprofen is an NSAID.
    belongs_to: class:nsaid
    cite: label pharmacology
  - says: Betaprofen treats arthritis.
    treats: disease:arthritis
    cite: label indications
  - says: Betaprofen is taken by mouth (oral).
    given_by: oral
    cite: label dosage
---
concept: ingredient:coumar
depth: deep
names: {en: [gammarol]}
sources:
  label: {title: Gammarol tablets - label, set_id: c1, read: yes}
facts:
  - says: Gammarol is an anticoagulant.
    belongs_to: class:anticoagulant
    cite: label pharmacology
  - says: Gammarol adds to the bleeding risk.
    has_effect: effect:bleeding-risk
    cite: label warnings
  - says: Gammarol treats thrombosis.
    treats: disease:thrombosis
    cite: label indications
  - says: Gammarol is taken by mouth (oral).
    given_by: oral
    cite: label dosage
  - says: Gammarol with an NSAID causes bleeding.
    interacts_with: class:nsaid
    tier: warning
    management: Choose another analgesic.
    cite: label interactions
---
concept: ingredient:harmless
depth: deep
names: {en: [deltacillin]}
sources:
  label: {title: Deltacillin - label, set_id: d1, read: yes}
facts:
  - says: Deltacillin treats a urinary infection.
    treats: disease:urinary-infection
    cite: label indications
  - says: Deltacillin is taken by mouth (oral) or into a vein (intravenous).
    given_by: [oral, intravenous]
    cite: label dosage
"""


def tiny(folder: Path) -> EmbeddedKnowledge:
    """The knowledge base of `MONOGRAPHS`, new in `folder`."""
    knowledge = open_embedded(folder)
    monographs = list(read_monographs(MONOGRAPHS.encode(), "tiny.yaml"))
    knowledge.apply(change_set(monographs, actor="test", why="a tiny world"))
    return knowledge
