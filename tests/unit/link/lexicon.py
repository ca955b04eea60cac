"""A lexicon in memory, and the few names the tests of `link` need: independent of the shipped formulary."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pharmakon.link.names import Finder
from pharmakon.model.concepts import Code, Concept, ConceptId, Name, fold, kind_of


class Words:
    """`ports.knowledge.Lexicon` over a list of concepts."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        self._concepts = {c.id: c for c in concepts}
        self._names: dict[str, list[tuple[ConceptId, Name]]] = {}
        for concept in concepts:
            for name in concept.names:
                self._names.setdefault(fold(name.text), []).append((concept.id, name))

    def by_name(self, folded: Collection[str]) -> Mapping[str, Sequence[tuple[ConceptId, Name]]]:
        return {f: self._names[f] for f in folded if f in self._names}

    def by_code(self, codes: Collection[Code]) -> Mapping[Code, Sequence[ConceptId]]:
        found: dict[Code, list[ConceptId]] = {}
        for code in codes:
            best: list[tuple[int, ConceptId]] = []
            for concept in self._concepts.values():
                for own in concept.codes:
                    same = own.system == code.system and (
                        own.value == code.value or (own.prefix and code.value.startswith(own.value))
                    )
                    if same:
                        best.append((len(own.value), concept.id))
            if best:
                longest = max(size for size, _ in best)
                found[code] = [c for size, c in best if size == longest]
        return found

    def names(self, kinds: Collection[str]) -> Sequence[tuple[str, ConceptId, Name]]:
        return sorted(
            ((f, c, n) for f, rows in self._names.items() for c, n in rows if kind_of(c) in kinds),
            key=lambda row: (row[0], row[1]),
        )

    def concepts(self, ids: Collection[ConceptId]) -> Mapping[ConceptId, Concept]:
        return {i: self._concepts[i] for i in ids if i in self._concepts}


def concept(id: str, *english: str, nl: Sequence[str] = (), zh: Sequence[str] = (), brands: Sequence[str] = (),
            salts: Sequence[str] = (), codes: Sequence[Code] = ()) -> Concept:  # fmt: skip
    names = [Name(t, "en", "synonym" if i else "preferred") for i, t in enumerate(english)]
    names += [Name(t, "nl", "preferred") for t in nl] + [Name(t, "zh", "preferred") for t in zh]
    names += [Name(t, "en", "brand") for t in brands] + [Name(t, "en", "salt") for t in salts]
    return Concept(ConceptId(id), tuple(names), tuple(codes), "deep")


DISEASES = (
    concept("disease:diabetes", "diabetes mellitus", "diabetes", "DM", "DM2", "T2DM", nl=["suikerziekte"],
            codes=[Code("icd10", "E11", prefix=True), Code("icd10", "E1", prefix=True)]),
    concept("disease:hypertension", "hypertension", "HTN", nl=["hypertensie", "hoge bloeddruk"],
            codes=[Code("icd10", "I10", prefix=True)]),
    concept("disease:pulmonary-hypertension", "pulmonary hypertension"),
    concept("disease:heart-failure", "heart failure", "CHF", nl=["hartfalen"]),
    concept("disease:atrial-fibrillation", "atrial fibrillation", "AF", nl=["boezemfibrilleren", "atriumfibrilleren"],
            codes=[Code("icd10", "I48", prefix=True), Code("snomed", "49436004")]),
    concept("disease:chronic-kidney-disease", "chronic kidney disease", "CKD",
            nl=["nierinsufficiëntie", "chronische nierschade"]),
    concept("disease:asthma", "asthma", nl=["astma"]),
    concept("disease:copd", "COPD"),
    concept("disease:peptic-ulcer", "peptic ulcer", "gastric ulcer", nl=["maagzweer", "ulcus pepticum"]),
    concept("disease:gastrointestinal-bleeding", "gastrointestinal bleeding", "GI bleed", "GI bleeding",
            nl=["maagbloeding"]),
    concept("disease:stroke", "stroke", "CVA", nl=["beroerte"]),
    concept("disease:pneumonia", "pneumonia", nl=["longontsteking"]),
    concept("disease:pulmonary-embolism", "pulmonary embolism", nl=["longembolie"]),
    concept("disease:deep-vein-thrombosis", "deep vein thrombosis", "DVT"),
    concept("disease:epilepsy", "epilepsy", nl=["epilepsie"]),
    concept("disease:depression", "depression", nl=["depressie"]),
    concept("disease:dementia", "dementia", nl=["dementie"]),
    concept("disease:cirrhosis", "cirrhosis", nl=["levercirrose", "cirrose"]),
    concept("disease:breast-cancer", "breast cancer", nl=["borstkanker"]),
    concept("disease:gout", "gout", nl=["jicht"]),
    concept("symptom:nausea", "nausea", nl=["misselijkheid"]),
    concept("symptom:rash", "rash", nl=["huiduitslag"]),
    concept("symptom:fever", "fever", nl=["koorts"]),
)  # fmt: skip
DRUGS = (
    concept("ingredient:warfarin", "warfarin", zh=["华法林"], brands=["Coumadin", "Jantoven"],
            salts=["warfarin sodium"], codes=[Code("rxnorm", "11289")]),
    concept("ingredient:acetaminophen", "acetaminophen", "paracetamol", zh=["对乙酰氨基酚"], brands=["Tylenol"],
            codes=[Code("rxnorm", "161")]),
    concept("ingredient:oxycodone", "oxycodone", nl=["oxycodon"], codes=[Code("rxnorm", "7804")]),
    concept("drug:oxycodone-acetaminophen", "oxycodone and acetaminophen", "oxycodone / acetaminophen",
            brands=["Percocet"]),
    concept("ingredient:amoxicillin", "amoxicillin", nl=["amoxicilline"], codes=[Code("rxnorm", "723")]),
    concept("ingredient:clavulanate", "clavulanate", "clavulanic acid", nl=["clavulaanzuur"],
            salts=["clavulanate potassium"]),
    concept("ingredient:hydralazine", "hydralazine", nl=["hydralazine"], brands=["Apresoline"]),
    concept("ingredient:hydroxyzine", "hydroxyzine", brands=["Atarax"]),
    concept("ingredient:chlorpromazine", "chlorpromazine"),
    concept("ingredient:chlorpropamide", "chlorpropamide"),
    concept("ingredient:metformin", "metformin", nl=["metformine"], zh=["二甲双胍"], brands=["Glucophage"],
            salts=["metformin hydrochloride"], codes=[Code("rxnorm", "6809")]),
    concept("ingredient:metoprolol", "metoprolol", salts=["metoprolol tartrate", "metoprolol succinate"]),
    concept("ingredient:ibuprofen", "ibuprofen", brands=["Advil", "Motrin"]),
    concept("ingredient:codeine", "codeine", nl=["codeïne"]),
    concept("ingredient:furosemide", "furosemide", nl=["furosemide"], zh=["呋塞米"], brands=["Lasix"]),
    concept("ingredient:potassium-chloride", "potassium chloride", nl=["kaliumchloride"], brands=["K-Dur"]),
    concept("ingredient:sulfamethoxazole", "sulfamethoxazole"),
    concept("ingredient:trimethoprim", "trimethoprim"),
    concept("class:penicillin", "penicillin", "penicillins", "PCN", nl=["penicilline"]),
    concept("class:sulfonamide-antibiotic", "sulfonamide antibiotics", "sulfa", "sulfa drugs"),
    concept("class:cephalosporin", "cephalosporin", nl=["cefalosporine"]),
    concept("allergen:latex", "latex"),
    concept("allergen:iodine", "iodine", nl=["jodium"]),
)  # fmt: skip


def finder() -> Finder:
    return Finder(Words((*DISEASES, *DRUGS)))
