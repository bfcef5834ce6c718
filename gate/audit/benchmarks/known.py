"""Tasks whose own reference answer cannot satisfy their own tests. A disclosure, not a dismissal: it caps the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MIN_WORDS = 8


@dataclass(frozen=True, slots=True)
class Known:
    """`sign` is what the failure must say: another failure of the same task is not covered by the disclosure."""

    reason: str
    evidence: str
    sign: str

    @property
    def thin(self) -> bool:
        """Whether it could not be checked by anyone: "known bad" is the label a real bug would hide behind."""
        return not self.sign or any(len(set(text.split())) < MIN_WORDS for text in (self.reason, self.evidence))


KNOWN_UNPASSABLE: Mapping[str, Mapping[str, Known]] = {
    "humaneval-plus": {
        "HumanEval/32": Known(
            reason="the last assertion splats the float that find_zero returns, so it raises TypeError "
            "before it compares anything, whatever the answer is",
            evidence="`_poly(*candidate(*inp), inp)` stands in the test field of the upstream rows, and the generator "
            "of those rows (evalplus, tools/humaneval/to_original_fmt.py) writes it for the entry point find_zero",
            sign="TypeError",
        ),
    },
}
