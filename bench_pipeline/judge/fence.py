"""Text from a model under test, as a judge may see it: fenced, and known when it speaks to it."""

import hashlib
import re
from functools import cache

from bench_pipeline.contracts.paths import reference_dir
from bench_pipeline.contracts.yaml_files import read_yaml
from bench_pipeline.text import text_key

_LONGEST = 8_000
_CUT = "\n[… the answer goes on; the rest is not shown]"


def fenced(text: str) -> str:
    """`text` between two marks that it cannot hold, since they are a hash of it.

    What is longer than 8,000 characters is cut, and says so.
    """
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + _CUT
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    body = shown.encode("utf-8", "replace").decode()
    return f"<answer id={mark}>\n{body}\n</answer id={mark}>"


def addresses_judge(text: str) -> bool:
    """Whether `text` speaks to whoever grades it, by the phrases of `judge_addresses.yaml`.

    A flag to be counted: it decides nothing.
    """
    return bool(_addresses().search(text_key(text)))


@cache
def _addresses() -> re.Pattern[str]:
    phrases = read_yaml(reference_dir() / "judge_addresses.yaml")["phrases"]
    # keys have their words apart by single spaces, and so have the patterns
    return re.compile("|".join(rf"(?:{phrase})" for phrase in phrases))
