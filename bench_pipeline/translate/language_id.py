"""Which language a rendering is written in, where its script leaves more than one to choose from.

Only languages of the target's script are candidates, and only one outside of the target's group
counts against it. Where the identifier knows no such rival, nothing is said: today every language
that it knows in Devanagari or Bengali script is one group, and other scripts have one language.
"""

from functools import cache
from typing import TYPE_CHECKING

import regex

from bench_pipeline.contracts.languages import Language, languages

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

#: script → the identifier's label → the BCP 47 code that it stands for here
_LABELS = {
    "Arab": {"ar": "ar", "ary": "ar", "arz": "ar", "fa": "fa", "ps": "ps", "ur": "ur"},
    "Beng": {"as": "as", "bn": "bn"},
    "Deva": {"gom": "kok", "hi": "hi", "mr": "mr", "ne": "ne", "sa": "sa"},
}
#: below this, the names in a question outweigh its words (measured in docs/design/translation.md)
_LEAST_LETTERS = 20
_LEAST_PROBABILITY = 0.7
#: The identifier does not know Sindhi and calls it Pashto or Arabic, which have none of these.
_SINDHI = regex.compile("[ٺٽٿڀڃڄڇڊڌڍڏڦڪڱڳڻ۾۽]")
_WORDS = regex.compile(r"[\p{L}\p{M}]+")


def wrong_language(text: str, target: Language) -> str | None:
    """The code of the language that `text` is surely written in, if it is not `target`'s group.

    None also where it cannot be told: too short, no rival that the identifier knows, or no
    language of at least 0.7 of the probability.
    """
    labels = _LABELS.get(target.script, {})
    groups = {code: known.group for code, known in languages().items()}
    if all(groups.get(code) == target.group for code in labels.values()):
        return None
    if target.group not in map(groups.get, labels.values()):
        return None
    words = " ".join(word for word in _WORDS.findall(text) if not word.isascii())
    if len(words.replace(" ", "")) < _LEAST_LETTERS or _SINDHI.search(words):
        return None
    shares: dict[str, float] = {}
    for label, share in _identifier(target.script).rank(words):
        shares[labels[label]] = shares.get(labels[label], 0.0) + share
    best = max(shares, key=lambda code: shares[code])
    sure = shares[best] >= _LEAST_PROBABILITY and groups.get(best) != target.group
    return best if sure else None


@cache
def _identifier(script: str) -> "LanguageIdentifier":
    """The identifier of one script's languages; loading its model takes the better part of 1 s."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(_LABELS[script]))
    return identifier
