"""From a question to the communities that give its background (FG-4, FusionGraphRAG 3.3.2, the macro way).

The paper compares the question with all summaries as vectors. Here what the question names comes first, since a link is
exact: the smallest community that holds the most of it. Vectors order what is equal, and stand alone where nothing is
named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from pharmakon.model.communities import Summary, SummarySentence
from pharmakon.model.concepts import ConceptId


def choose(homes: Mapping[ConceptId, Sequence[str]], similarity: Mapping[str, float], most: int = 3) -> Sequence[str]:
    """Ids of at most `most` communities, the best first; none of them holds another.

    homes: for each concept that the question names, its communities, the coarsest first. similarity: community → how
    like the question its summary is; may be empty.
    """
    held = Counter(community for communities in homes.values() for community in communities)
    depth = {community: at for communities in homes.values() for at, community in enumerate(communities)}
    above = {
        community: set(communities[:at]) for communities in homes.values() for at, community in enumerate(communities)
    }
    candidates = held.keys() or similarity.keys()
    order = sorted(candidates, key=lambda c: (-held[c], -depth.get(c, 0), -similarity.get(c, 0.0), c))
    chosen: list[str] = []
    for community in order:
        within = above.get(community, set())
        if len(chosen) < most and not within & {*chosen} and not any(community in above.get(c, ()) for c in chosen):
            chosen.append(community)
    return chosen


def about(summary: Summary, relations: Collection[str], statements: Collection[str]) -> Sequence[SummarySentence]:
    """The sentences about one of `relations`, all where there are none; those that say one of `statements` first."""
    wanted = set(statements)
    told = [sentence for sentence in summary.sentences if sentence.says in relations] or summary.sentences
    return sorted(told, key=lambda sentence: wanted.isdisjoint(sentence.statements))
